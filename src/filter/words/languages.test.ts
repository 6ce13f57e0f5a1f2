import { describe, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { LANGUAGE_CODES, languageOf, ownLettersOf } from './languages.ts'

const LANGUAGES = LANGUAGE_CODES.map((code) => languageOf(code)!)
const STARTERS = path.join(import.meta.dir, '..', '..', '..', 'starters')

describe.each(LANGUAGES.map((language) => [language.code, language] as const))(
  'the words of %s',
  (_, language) => {
    const text = language.innocentWords()
    const words = text.split('\n').slice(0, -1)

    test('are sorted, distinct, in lower case and each followed by a newline', () => {
      expect(text.endsWith('\n')).toBe(true)
      expect(words.length).toBeGreaterThan(50_000)
      expect(words.length).toBeLessThanOrEqual(150_000)
      expect(words.filter((word, index) => index > 0 && (words[index - 1] ?? '') >= word)).toEqual([])
      expect(words.filter((word) => !/^\p{Ll}{3,24}$/u.test(word) || word !== word.normalize('NFC'))).toEqual(
        [],
      )
    })

    test('contain no vulgar word', () => {
      const innocent = new Set(words)
      expect(language.vulgarWords.filter((word) => innocent.has(word))).toEqual([])
    })

    test('have distinct vulgar words in lower case', () => {
      expect(language.vulgarWords).toEqual([...new Set(language.vulgarWords)])
      expect(language.vulgarWords.filter((word) => !/^\p{Ll}{3,}$/u.test(word))).toEqual([])
    })

    test('take at most 31 different endings', () => {
      expect(new Set(language.endings.map(({ add }) => add)).size).toBeLessThanOrEqual(31)
    })
  },
)

describe('English words', () => {
  const english = languageOf('en')!
  const innocent = new Set(english.innocentWords().split('\n'))
  const vulgar = new Set(english.vulgarWords)

  const INNOCENT =
    'assess assassin class cocky cocker cocktail peacock dickens dickson dicker hancock hitchcock titter title'
  const NAMES = 'scunthorpe essex sussex middlesex lesbos niger montenegro'
  const CONTAINING =
    'analysis therapist cumin circumstance mishit shiitake snigger niggardly spice chink raccoon buttress'
  test.each(`${INNOCENT} ${NAMES} ${CONTAINING}`.split(' '))('include %s', (word) => {
    expect(innocent.has(word)).toBe(true)
  })

  const VULGAR =
    'fuck fucking motherfucker shits bullshit asses asshole dumbass bitches cunts dickhead cocksucker titties'
  const SLURS = 'fags faggots niggers kikes spics whores slutty wankers twats'
  test.each(`${VULGAR} ${SLURS}`.split(' '))('exclude %s', (word) => {
    expect(innocent.has(word)).toBe(false)
    expect(vulgar.has(word)).toBe(true)
  })
})

/** Everyday words that contain a vulgar one, and vulgar words of each language. */
const EXAMPLES: Readonly<Record<string, readonly [innocent: string, vulgar: string]>> = {
  da: ['prøve drøv røver røve diskussion spise pistol', 'røvhul fisse luder kusse'],
  es: [
    'disputa computadora diputado reputación vehículo pollo follaje vergüenza cabra',
    'puta follar cabrón polla culo',
  ],
  fr: ['dispute député calcul conseil console reculer bander', 'putain con merde enculé couilles'],
  nl: ['verhoor kunst wedstrijd pikken negeren flikkeren strontium', 'kut lul neuken hoer klootzak'],
  pl: ['dowcip dowcipny podsłuchując duplikat jajko sukienka', 'chuj kurwa jebać pierdolić dupa'],
  pt: ['computador disputa deputado panqueca bicho comida', 'puta caralho foder merda'],
  ru: ['команда мандарин употреблять скипидар лебедь небо хлеб', 'хуй пизда ебать блядь жопа'],
  tr: ['götür uyarak okuyarak sıçrama sıkıntı siklon amaç', 'siktir orospu göt yarak amcık'],
}

describe.each(Object.entries(EXAMPLES))('the words of %s', (code, [innocent, vulgar]) => {
  const language = languageOf(code)!
  const words = new Set(language.innocentWords().split('\n'))

  test.each(innocent.split(' '))('include %s', (word) => {
    expect(words.has(word)).toBe(true)
  })

  test.each(vulgar.split(' '))('exclude %s', (word) => {
    expect(words.has(word)).toBe(false)
    expect(language.vulgarWords).toContain(word)
  })
})

describe('languages', () => {
  test('are found by codes with a region and in any case', () => {
    expect(languageOf('en-GB')?.code).toBe('en')
    expect(languageOf('EN')?.code).toBe('en')
    expect(languageOf('eng')).toBeUndefined()
    expect(languageOf('constructor')).toBeUndefined()
    expect(languageOf('')).toBeUndefined()
  })

  test('have letters of their own', () => {
    expect(ownLettersOf('sv')).toBe('åäö')
    expect(ownLettersOf('tr-TR')).toContain('ı')
    expect(ownLettersOf('es-MX')).toBe('ñ')
    expect(ownLettersOf('en')).toBe('')
    expect(ownLettersOf('__proto__')).toBe('')
  })

  test('have letters of their own where their starter uses accents that distinguish words', () => {
    const codes = readdirSync(STARTERS).flatMap((name) => (name.endsWith('.txt') ? [name.slice(0, -4)] : []))
    const without = codes.filter((code) => ownLettersOf(code) === '').sort()
    expect(without).toEqual(['ar', 'en', 'fa', 'hi', 'it', 'ja', 'ko', 'nl', 'th', 'tlh', 'zh'])
  })
})
