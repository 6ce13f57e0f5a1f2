import { danishEndings } from '../../src/filter/words/danish/endings.ts'
import { danishVulgarWords } from '../../src/filter/words/danish/vulgar.ts'
import { dutchEndings } from '../../src/filter/words/dutch/endings.ts'
import { dutchVulgarWords } from '../../src/filter/words/dutch/vulgar.ts'
import { englishEndings } from '../../src/filter/words/english/endings.ts'
import { englishVulgarWords } from '../../src/filter/words/english/vulgar.ts'
import { frenchEndings } from '../../src/filter/words/french/endings.ts'
import { frenchVulgarWords } from '../../src/filter/words/french/vulgar.ts'
import { polishEndings } from '../../src/filter/words/polish/endings.ts'
import { polishVulgarWords } from '../../src/filter/words/polish/vulgar.ts'
import { portugueseEndings } from '../../src/filter/words/portuguese/endings.ts'
import { portugueseVulgarWords } from '../../src/filter/words/portuguese/vulgar.ts'
import { russianEndings } from '../../src/filter/words/russian/endings.ts'
import { russianVulgarWords } from '../../src/filter/words/russian/vulgar.ts'
import { spanishEndings } from '../../src/filter/words/spanish/endings.ts'
import { spanishVulgarWords } from '../../src/filter/words/spanish/vulgar.ts'
import { turkishEndings } from '../../src/filter/words/turkish/endings.ts'
import { turkishVulgarWords } from '../../src/filter/words/turkish/vulgar.ts'
import { type Dictionary, plainEntry, type Source } from './dictionary.ts'
import type { Entry } from './hunspell.ts'

export const DICTIONARIES: readonly Dictionary[] = [
  {
    name: 'danish',
    origin: 'Stavekontrolden 2.7.001, © 2022 Foreningen for frit tilgængelige sprogværktøjer',
    license: 'MPL-1.1',
    code: 'da',
    endings: danishEndings,
    vulgarWords: danishVulgarWords,
    vulgarStems: /lud+er(hotel|journ|karl)|^pisse|^skide|^lort|negerboll|bøsserøv|^fuck/,
    maxWords: 115_000,
    maxLetters: 10,
    alphabet: /^[a-zæøåé]+$/,
    read: (source) => source.hunspell('hunspell-da/usr/share/hunspell/da_DK'),
  },
  {
    name: 'dutch',
    origin:
      'OpenTaal 2.20.19, © 1996–2020 OpenTaal, Simon Brouwer e.a., Nederlandstalige TeX Gebruikersgroep',
    license: 'BSD-3-Clause',
    code: 'nl',
    endings: dutchEndings,
    vulgarWords: dutchVulgarWords,
    vulgarStems:
      /(^|[^sk])neuk(?!el)|hoeren|(^|ge)kut|strontv|kloot|^lul(?!a$|of|u$)|(boeg|kunst)lul|poepgat|negerz/,
    maxWords: 130_000,
    maxLetters: 10,
    alphabet: /^[a-zàâäçèéêëïîñóôöüû]+$/,
    read: (source) => source.hunspell('hunspell-nl/usr/share/hunspell/nl'),
  },
  {
    name: 'english',
    origin: 'SCOWL 2020.12.07, © 2000–2011 Kevin Atkinson and others',
    license: 'SCOWL',
    code: 'en',
    endings: englishEndings,
    vulgarWords: englishVulgarWords,
    maxWords: 150_000,
    maxLetters: 24,
    alphabet: /^[a-z]+$/,
    read: readEnglish,
  },
  {
    name: 'french',
    origin:
      'Dictionnaire orthographique français « classique » 7.0, © Olivier R. and the contributors of Dicollecte',
    license: 'MPL-2.0',
    code: 'fr',
    endings: frenchEndings,
    vulgarWords: frenchVulgarWords,
    vulgarStems:
      /merd|encul|couill|^conn(ar|as|er)|^branl(och|eu|ett)|^salop(?!ett)|^niqu|^partouz|^gouin|^biter|^déconn(?!e[cx])|^chiar/,
    maxWords: 145_000,
    maxLetters: 14,
    alphabet: /^[a-zàâæçéèêëîïôœùûüÿ]+$/,
    read: (source) => source.hunspell('hunspell-fr-classical/usr/share/hunspell/fr'),
  },
  {
    name: 'polish',
    origin: 'sjp.pl as of LibreOffice 7.5, © Marek Futrega and the editors of sjp.pl',
    license: 'Apache-2.0',
    code: 'pl',
    endings: polishEndings,
    vulgarWords: polishVulgarWords,
    vulgarStems:
      /chuj(?!ą|e|ę|m|s)|kurw|kurew(?!icz)|jeb(?!us)|pierd[oa]l|pierdziel|pizd|(^|nie|o)cip(?!ot)|^(nie|na)?(?!duple|dupli|duplo|dupont|dupond)dup|^(nie)?(do|na|ob|obe|o|pode|po|prze|przy|u|wy|za|ze)?sra[ćłnj]|gówn|gówien|^(nie)?(po|wy|z)?rucha[ćnłjw]|kutas|kutaf|fiut/,
    maxWords: 145_000,
    maxLetters: 8,
    alphabet: /^[a-ząćęłńóśźż]+$/,
    read: (source) => source.hunspell('hunspell-pl/usr/share/hunspell/pl_PL.utf8'),
  },
  {
    name: 'portuguese',
    origin:
      'Projecto Natura as of LibreOffice 7.5, © 2006–2012 José João de Almeida, Rui Vilela, Alberto Simões',
    license: 'MPL-1.1',
    code: 'pt',
    endings: portugueseEndings,
    vulgarWords: portugueseVulgarWords,
    vulgarStems: /caralh|^merd|[bd]amerda|^fod[ae]|^fodinha|punhet|^put[ae](?!ti|al|ol|or)/,
    maxWords: 140_000,
    maxLetters: 13,
    alphabet: /^[a-záâãàçéêíóôõúü]+$/,
    read: (source) => source.hunspell('hunspell-pt-pt/usr/share/hunspell/pt_PT'),
  },
  {
    name: 'russian',
    origin: 'Russian dictionary as of LibreOffice 7.5, © 1997–2008 Alexander I. Lebedev',
    license: 'BSD',
    code: 'ru',
    endings: russianEndings,
    vulgarWords: russianVulgarWords,
    vulgarStems: /^(по)?хер(и|я|ен)|дроч|жидов|дерьм/,
    maxWords: 150_000,
    maxLetters: 11,
    alphabet: /^[а-яё]+$/,
    read: (source) => source.hunspell('hunspell-ru/usr/share/hunspell/ru_RU'),
  },
  {
    name: 'spanish',
    origin: 'RLA-ES as of LibreOffice 7.5, © Santiago Bosio and others',
    license: 'MPL-2.0',
    code: 'es',
    endings: spanishEndings,
    vulgarWords: spanishVulgarWords,
    maxWords: 150_000,
    maxLetters: 16,
    alphabet: /^[a-záéíóúüñ]+$/,
    read: (source) => source.hunspell('hunspell-es/usr/share/hunspell/es_ES'),
  },
  {
    name: 'turkish',
    origin: 'Turkish dictionary as of LibreOffice 7.5, © Harun Reşit Zafer',
    license: 'MPL-2.0',
    code: 'tr',
    endings: turkishEndings,
    vulgarWords: turkishVulgarWords,
    vulgarStems:
      /orospu|pezeven|puşt|kalta[kğ]|yavşa[kğ]|kahpe|^ibne|^piç|^siki|^siktiğ|^götlü|taşa[kğ]|^bok(?!s)|sürtü[kğ]/,
    maxWords: 150_000,
    maxLetters: 9,
    alphabet: /^[a-zçğıöşüâîû]+$/,
    read: (source) => source.hunspell('hunspell-tr/usr/share/hunspell/tr_TR'),
  },
]

/** The American and British words of SCOWL up to size 70 as entries, those up to size 80 as forms: names first. */
function readEnglish(source: Source): Entry[] {
  const read = (size: string) =>
    [
      `wamerican-${size}/usr/share/dict/american-english-${size}`,
      `wbritish-${size}/usr/share/dict/british-english-${size}`,
    ].flatMap((file) => source.lines(file))
  const common = read('large').map((word) => plainEntry(plainLetters(word)))
  const forms = new Map<string, string>()
  for (const word of read('huge')) {
    const plain = plainLetters(word)
    // Rules that make a single form come last.
    forms.set(plain, /^\p{Lu}\p{Ll}+$/u.test(word) ? 'name' : plain)
  }
  return [...common, { word: '', forms }]
}

const plainLetters = (word: string) => word.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
