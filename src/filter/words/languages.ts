import { english } from './english/english.ts'
import type { Language } from './language.ts'

export type { Ending, Language } from './language.ts'

const LANGUAGES: ReadonlyMap<string, Language> = new Map(
  [english].map((language) => [language.code, language]),
)

/**
 * Letters with accents that are letters of their own, so that an accent on them is no disguise. Accents that only mark
 * stress, length or tone are left out: players leave them out as well.
 */
const OWN_LETTERS: ReadonlyMap<string, string> = new Map([
  ['az', 'çəğıiöşü'],
  ['be', 'ёйў'],
  ['bg', 'й'],
  ['bs', 'čćđšž'],
  ['ca', 'ç'],
  ['cs', 'čďěňřšťůž'],
  ['cy', 'ŵŷ'],
  ['da', 'æøå'],
  ['de', 'äöüß'],
  ['eo', 'ĉĝĥĵŝŭ'],
  ['es', 'ñ'],
  ['et', 'äõöüšž'],
  ['eu', 'ñ'],
  ['fi', 'äöå'],
  ['fil', 'ñ'],
  ['fo', 'æøáðíóúý'],
  ['fr', 'ç'],
  ['gl', 'ñ'],
  ['hr', 'čćđšž'],
  ['hu', 'öőüű'],
  ['is', 'áðéíóúýþæö'],
  ['kab', 'čḍǧḥɣṛṣṭẓɛ'],
  ['kk', 'ёйіңғүұқөһә'],
  ['lt', 'ąčęėįšųūž'],
  ['lv', 'āčēģīķļņšūž'],
  ['mk', 'ѓќй'],
  ['mt', 'ċġħż'],
  ['nb', 'æøå'],
  ['nn', 'æøå'],
  ['no', 'æøå'],
  ['pl', 'ąćęłńóśźż'],
  ['pt', 'ç'],
  ['ro', 'ăâîșțşţ'],
  ['ru', 'й'],
  ['sk', 'äčďľĺňŕšťž'],
  ['sl', 'čšž'],
  ['sq', 'çë'],
  ['sr', 'čćđšžђћј'],
  ['sv', 'åäö'],
  ['tl', 'ñ'],
  ['tr', 'ıişçğöü'],
  ['uk', 'йїґ'],
  ['vi', 'ăâđêôơư'],
])

/** The language of a code, also of one with a region (en-GB). */
export const languageOf = (code: string): Language | undefined => LANGUAGES.get(baseOf(code))

/** Accented letters that are letters of their own in a language; none if the language is unknown. */
export const ownLettersOf = (code: string): string => OWN_LETTERS.get(baseOf(code)) ?? ''

const baseOf = (code: string) => code.split('-', 1)[0]?.toLowerCase() ?? ''
