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
  ['hu', 'áéíóöőúüű'],
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

/** Accented letters that are letters of their own in a language; none if the language is unknown. */
export const ownLettersOf = (code: string): string => OWN_LETTERS.get(baseLanguageOf(code)) ?? ''

/** en of en-GB. */
export const baseLanguageOf = (code: string): string => code.split('-', 1)[0]?.toLowerCase() ?? ''
