/** Validation of names, ids, messages and language codes, shared by all transports. */

/** For example `ko` or `zh-Hant-TW`, with `-` or `_`. At most 30 characters. */
export const LANGUAGE_CODE = /^[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8}){0,3}$/

export const isLanguageCode = (text: string) => LANGUAGE_CODE.test(text)

/** Characters that are invisible, break lines or reorder text. With one of these a name could imitate another. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}\p{Default_Ignorable_Code_Point}]/u
/** The variation selector is allowed here, where it selects the emoji presentation of the preceding character. */
const EMOJI_PRESENTATION = /(\p{Extended_Pictographic}|[0-9#*](?=\ufe0f\u20e3))\ufe0f/gu
/** Characters that render visibly. Hangul fillers are default-ignorable; U+2800 is the blank braille pattern. */
const VISIBLE = /[^\p{Cc}\p{Cf}\p{Cs}\p{M}\p{White_Space}\p{Default_Ignorable_Code_Point}\u2800]/u
const CONTROL = /\p{Cc}/u
const CONTROL_BUT_LINE_BREAKS = /(?![\r\n])\p{Cc}/u

/** Without control characters and without lone surrogates, which cannot be encoded in UTF-8. */
export const isPlainText = (text: string) => !CONTROL.test(text) && text.isWellFormed()

/** Plain text that may contain line breaks. */
export const isMessageText = (text: string) => !CONTROL_BUT_LINE_BREAKS.test(text) && text.isWellFormed()

export const isVisible = (text: string) => VISIBLE.test(text)

/** Valid as the name of a player or channel: visible, without hidden characters or surrounding spaces. */
export const isName = (text: string) =>
  isVisible(text) &&
  !STACKED_MARKS.test(text) &&
  !HIDDEN.test(text.replace(EMOJI_PRESENTATION, '$1')) &&
  text.trim() === text &&
  text.isWellFormed()

/** Upper bound of the settings that limit names and ids. */
export const MAX_NAME_BYTES = 1024

/** Unicode's stream-safe text format allows at most 30. */
const STACKED_MARKS = /\p{M}{31}/u

/** The largest factor by which NFC can shorten a text. */
const MAX_COMPOSITION = 3

/**
 * Returns the canonical form (NFC) in which names are stored and compared. Returns the text unchanged if it exceeds
 * `maxBytes` in any form or stacks too many combining marks: sorting marks takes quadratic time.
 */
export const normalizeName = (text: string, maxBytes: number) =>
  text.length > maxBytes * MAX_COMPOSITION || STACKED_MARKS.test(text) ? text : text.normalize('NFC')

/** Returns the normalized name, or undefined if it is too long or invalid. */
export function readName(text: string, maxBytes: number): string | undefined {
  const name = normalizeName(text, maxBytes)
  return Buffer.byteLength(name) <= maxBytes && isName(name) ? name : undefined
}
