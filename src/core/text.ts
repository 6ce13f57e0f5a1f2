/** What names, ids, messages and language codes may hold, whichever door they come through. */

/** Such as `ko` or `zh-Hant-TW`, also spelled with `_`. At most 30 characters. */
export const LANGUAGE_CODE = /^[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8}){0,3}$/

export const isLanguageCode = (text: string) => LANGUAGE_CODE.test(text)

/** Breaks lines, reverses text or hides in it: a name with one of these could pass for another. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}\p{Default_Ignorable_Code_Point}]/u
/** Here the variation selector is not hidden: it makes an emoji of the character before it. */
const EMOJI_PRESENTATION = /(\p{Extended_Pictographic}|[0-9#*](?=\ufe0f\u20e3))\ufe0f/gu
/** Anything that leaves ink. The Hangul fillers are default-ignorable, U+2800 is the braille pattern without dots. */
const VISIBLE = /[^\p{Cc}\p{Cf}\p{Cs}\p{M}\p{White_Space}\p{Default_Ignorable_Code_Point}\u2800]/u
const CONTROL = /\p{Cc}/u
const CONTROL_BUT_LINE_BREAKS = /(?![\r\n])\p{Cc}/u

/** Free of control characters and of lone surrogates, which no other program could read back. */
export const isPlainText = (text: string) => !CONTROL.test(text) && text.isWellFormed()

/** What players and operators may write: plain text with line breaks. */
export const isMessageText = (text: string) => !CONTROL_BUT_LINE_BREAKS.test(text) && text.isWellFormed()

/** Whether there is anything to see. */
export const isVisible = (text: string) => VISIBLE.test(text)

/** Whether it can name a player or a channel: something to see, nothing hidden, no space at either end. */
export const isName = (text: string) =>
  isVisible(text) &&
  !STACKED_MARKS.test(text) &&
  !HIDDEN.test(text.replace(EMOJI_PRESENTATION, '$1')) &&
  text.trim() === text &&
  text.isWellFormed()

/** The most that the settings allow a name or an id to have. */
export const MAX_NAME_BYTES = 1024

/** More than Unicode's stream-safe format allows. */
const STACKED_MARKS = /\p{M}{31}/u

/** Composing makes a text shorter, but never by more than this factor. */
const MAX_COMPOSITION = 3

/**
 * The one spelling (NFC) under which a name is stored and looked up. A text that is too long for `maxBytes` in any
 * spelling, or that stacks marks as no language does, is returned as it is: ordering marks takes quadratic time.
 */
export const normalizeName = (text: string, maxBytes: number) =>
  text.length > maxBytes * MAX_COMPOSITION || STACKED_MARKS.test(text) ? text : text.normalize('NFC')

/** The normalized name, or undefined where it is too long or not a name. */
export function readName(text: string, maxBytes: number): string | undefined {
  const name = normalizeName(text, maxBytes)
  return Buffer.byteLength(name) <= maxBytes && isName(name) ? name : undefined
}
