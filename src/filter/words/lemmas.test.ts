import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { LANGUAGE_CODES, languageOf } from './languages.ts'
import { ownsForm } from './lemmas.ts'

/** Owners in other languages: listed word, form of another word, form of its own. */
const OTHER_LANGUAGES = [
  ['da', 'røv', 'røver', 'røvets'],
  ['fr', 'bourre', 'bourrée', 'bourres'],
  ['nl', 'pik', 'pikken', 'pikje'],
  ['nl', 'pot', 'poten', 'potje'],
  ['nl', 'neger', 'negeren', 'negertje'],
] as const

const english = languageOf('en')!
const words = new Set(english.innocentWords().split('\n'))
const isOwned = (form: string, word: string) => ownsForm(form, word, (each) => words.has(each), english)

/** Forms in the dictionary that belong to another word than the listed one. */
const OTHER_WORDS: Readonly<Record<string, string>> = {
  spic: 'spices spiced spicing',
  rap: 'rapes raped raping',
  past: 'pastes pasted pasting',
  but: 'butted butting',
  butt: 'buttes',
  pus: 'puss',
  bras: 'brass',
  bra: 'braes',
  princes: 'princess',
  as: 'ass',
  asses: 'assess assessed assessing',
  can: 'canes caned caning',
  bar: 'bares bared baring',
  star: 'stares stared staring',
  cap: 'capes caped',
  tar: 'tares tared taring',
  pan: 'panes paned',
  pas: 'pass passed passing',
  crap: 'crapes',
  busty: 'bustier',
  dick: 'dickers dickered',
  hell: 'helles',
  ball: 'balls',
}

const OWN_FORMS: Readonly<Record<string, string>> = {
  ass: 'asses',
  rape: 'rapes raped raping',
  rap: 'raps rapped rapping',
  paste: 'pastes pasted pasting',
  butt: 'butts',
  tit: 'tits',
  cock: 'cocks cocked cocking',
  suck: 'sucks sucked sucking',
  snatch: 'snatches snatched snatching',
  scat: 'scats scatted scatting',
  sex: 'sexes sexed sexing',
  grope: 'gropes groped groping',
  prince: 'princes',
  bra: 'bras',
  curse: 'curses cursed cursing',
  hook: 'hooks hooked hooking',
  horn: 'horns horned',
  ash: 'ashes',
  star: 'stars starred starring',
  horny: 'hornier horniest',
  orgy: 'orgies',
  panty: 'panties',
  negro: 'negros negroes',
  penis: 'penises',
  prick: 'pricks pricked pricking',
  hooker: 'hookers',
  dicker: 'dickers dickered dickering',
  masturbate: 'masturbates masturbated masturbating',
  slag: 'slags slagged slagging',
  escort: 'escorts escorted escorting',
}

const cases = (table: Readonly<Record<string, string>>) =>
  Object.entries(table).flatMap(([word, forms]) => forms.split(' ').map((form) => [form, word] as const))

describe('the owner of a form', () => {
  test.each(cases(OTHER_WORDS))('%s does not belong to %s', (form, word) => {
    expect(isOwned(form, word)).toBe(true)
  })

  test.each(cases(OWN_FORMS))('%s belongs to %s', (form, word) => {
    expect(isOwned(form, word)).toBe(false)
  })

  test.each(OTHER_LANGUAGES)('is found in %s for %s', (code, word, other, own) => {
    const language = languageOf(code)!
    const known = new Set(language.innocentWords().split('\n'))
    const owns = (form: string) => ownsForm(form, word, (each) => known.has(each), language)
    expect([other, own].map(owns)).toEqual([true, false])
  })

  test('is found at once, whatever the dictionary contains', () => {
    const letters = fc.string({ unit: fc.constantFrom(...'aeéntkrsа'), minLength: 1, maxLength: 8 })
    const code = fc.constantFrom(...LANGUAGE_CODES)
    fc.assert(
      fc.property(code, letters, letters, fc.boolean(), (each, form, word, isKnown) => {
        let lookups = 0
        const count = () => {
          lookups++
          return isKnown
        }
        ownsForm(form, word, count, languageOf(each)!)
        expect(lookups).toBeLessThan(10_000)
      }),
    )
  })

  test('belongs to itself where the listed word does not explain it', () => {
    expect(isOwned('butter', 'butt')).toBe(true)
    expect(isOwned('title', 'tit')).toBe(true)
  })
})
