/** What the tricks of a script need to know about it. All tables map lower-case letters to their substitutes. */
export interface Alphabet {
  readonly word: RegExp
  readonly vowels: string
  readonly digits: Readonly<Record<string, string>>
  /** Letters of other scripts. */
  readonly lookAlikes: Readonly<Record<string, string>>
  /** Combining accents that do not turn a letter into another letter of the alphabet. */
  readonly accents: string
  /** Letters in their alphabetical order in Unicode, and the first letters of styled copies of that block. */
  readonly first: number
  readonly styles: Readonly<Record<string, readonly number[]>>
}

const ACCENTS = '\u0300\u0301\u0302\u0303\u0336'

export const LATIN: Alphabet = {
  word: /^[a-z]{4,12}$/,
  vowels: 'aeiou',
  digits: { a: '4@', e: '3', i: '1!', o: '0', s: '5$', t: '7' },
  lookAlikes: {
    a: 'аα',
    c: 'сϲ',
    e: 'е',
    h: 'һ',
    i: 'іι',
    j: 'јϳ',
    k: 'кκ',
    o: 'оο',
    p: 'рρ',
    s: 'ѕ',
    u: 'υ',
    v: 'ν',
    x: 'х',
    y: 'у',
  },
  accents: `${ACCENTS}\u0308\u0327`,
  first: 0x61,
  styles: {
    'full-width letters': [0xff41],
    'mathematical bold': [0x1d41a],
    'enclosed letters': [0x24b6, 0x24d0, 0x1f170],
  },
}

export const CYRILLIC: Alphabet = {
  word: /^[а-яёіїєґ]{4,12}$/,
  vowels: 'аеёиоуыэюяіїє',
  digits: { а: '4@', б: '6', е: '3', з: '3', о: '0', ч: '4' },
  lookAlikes: {
    а: 'aα',
    в: 'B',
    е: 'e',
    к: 'kκ',
    м: 'mM',
    н: 'H',
    о: 'oο',
    р: 'pρ',
    с: 'cϲ',
    т: 'tT',
    у: 'y',
    х: 'xχ',
    і: 'i',
  },
  accents: ACCENTS,
  first: 0,
  styles: {},
}

export const GREEK: Alphabet = {
  word: /^[α-ωάέήίόύώϊϋΐΰ]{4,12}$/,
  vowels: 'αεηιουωάέήίόύώ',
  digits: { α: '4@', ε: '3', ι: '1', ο: '0' },
  lookAlikes: {
    α: 'aа',
    β: 'B',
    ε: 'E',
    η: 'n',
    ι: 'iі',
    κ: 'kк',
    μ: 'M',
    ν: 'vN',
    ο: 'oо',
    ρ: 'pр',
    τ: 'tT',
    υ: 'uY',
    χ: 'xх',
  },
  accents: ACCENTS,
  first: 0x3b1,
  styles: { 'mathematical bold': [0x1d6c2] },
}
