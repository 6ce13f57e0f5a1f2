import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { compileFilter } from '../../src/filter/compile/compile.ts'
import type { List } from '../../src/filter/filter.ts'

/** What an operator means by an expression: texts that it matches, by the rule that finds them, and texts that it does not. */
interface Meaning {
  readonly expression: string
  /** Defaults to English. */
  readonly language?: string
  readonly matches: Readonly<Record<string, readonly string[]>>
  readonly leaves?: readonly string[]
}

const MEANINGS: readonly Meaning[] = [
  {
    expression: 'fuck',
    matches: {
      word: ['fuck', 'FUCK', 'Fuck!', '(fuck)'],
      inflection: ['fucks', 'fucking', 'fucked', 'fuckin', 'FUCKING'],
      'inflection or compound': ['fucker', 'fuckers'],
      compound: ['motherfucker', 'clusterfuck', 'fuckboy', 'fuckface', 'motherfuckers'],
      disguise: ['f@ck', 'fu*k', 'f*ck', 'fvck', 'fuuuck', 'fück', 'f#ck', 'fu🔥k', 'f_ck'],
      split: ['fu ck', 'fu-ck', 'f u c k', 'f.u.c.k', 'F-U-C-K', 'fuc k'],
      'disguise or split': ['fu🔥ck', 'f😀u😀c😀k'],
      'disguise or inflection or compound': ['fuck1ng', 'fuckkking', 'm0therfucker', 'f@cking'],
    },
    leaves: ['luck', 'duck', 'fun', 'truck', 'fluke', 'firetruck'],
  },
  {
    expression: 'shit',
    matches: {
      inflection: ['shits', 'shitting'],
      'inflection or compound': ['shitty', 'shitter'],
      compound: ['bullshit', 'shithead', 'shitface'],
      disguise: ['sh1t', '$hit', 'sh!t', 'shiiit'],
      split: ['s h i t', 'shi t'],
    },
    leaves: ['push it', 'this hit', "it's hit or miss", 'Matsushita', 'shiitake', 'Yamashita', 'mishit'],
  },
  {
    expression: 'ass',
    matches: {
      inflection: ['asses'],
      compound: ['asshole', 'dumbass', 'assholes'],
      disguise: ['a55', 'a$$', '@ss', '4ss', 'assss'],
      split: ['a s s'],
    },
    leaves: ['class', 'assess', 'assassin', 'grass', 'passes', 'as she said', 'massive', 'assets', 'bass'],
  },
  {
    expression: 'spic',
    matches: { word: ['spic'], inflection: ['spics'] },
    leaves: ['spice', 'spiced', 'spicy', 'spices', 'auspicious', 'despicable'],
  },
  {
    expression: 'butt',
    matches: { word: ['butt'], inflection: ['butts'] },
    leaves: ['butter', 'button', 'buttress', 'buttered', 'Butte'],
  },
  {
    expression: 'rape',
    matches: { inflection: ['rapes', 'raped', 'raping'] },
    leaves: ['grape', 'drape', 'rapping', 'scraping', 'therapist', 'rapid'],
  },
  {
    expression: 'dick',
    matches: { inflection: ['dicks'], compound: ['dickhead'] },
    leaves: ['Dickens', 'Dickinson', 'dicker', 'medick', 'addict'],
  },
  {
    expression: 'cock',
    matches: { inflection: ['cocks'], compound: ['cocksucker'] },
    leaves: ['cocktail', 'Hancock', 'cockpit', 'peacock', 'cockney', 'Hitchcock'],
  },
  {
    expression: 'cunt',
    matches: { inflection: ['cunts'] },
    leaves: ['Scunthorpe', 'count', 'cunning'],
  },
  {
    expression: 'asshole',
    matches: { word: ['asshole'], split: ['ass hole', 'ass-hole'], inflection: ['assholes'] },
    leaves: ['a hole', 'as whole'],
  },
  {
    expression: '*shit*',
    matches: { open: ['shitting', 'shittiest', 'bullshitter', 'Matsushita', 'shitake'], word: ['shit'] },
    leaves: ['shift', 'sit'],
  },
  {
    expression: 'dick!',
    matches: { word: ['dick', 'DICK', 'Dick,'] },
    leaves: ['dicks', 'd1ck', 'dickhead', 'd i c k'],
  },
  {
    expression: 'fuck!compound,split',
    matches: { word: ['fuck'], inflection: ['fucking'], disguise: ['f@ck'] },
    leaves: ['fuckface', 'motherfucker', 'f u c k', 'fu ck'],
  },
  {
    expression: 'сука',
    language: 'ru',
    matches: { word: ['сука', 'СУКА'], disguise: ['cукa', 'с*ка', 'сук@', 'суккка', 'cyka'] },
    leaves: ['сукно', 'рука', 'наука'],
  },
  {
    expression: 'μαλάκας',
    language: 'el',
    matches: { word: ['μαλάκας', 'ΜΑΛΆΚΑΣ'], 'word or disguise': ['μαλακας', 'ΜΑΛΑΚΑΣ', 'μαλακασ'] },
    leaves: ['μαλακός'],
  },
  {
    expression: 'scheiße',
    language: 'de',
    matches: { 'word or disguise': ['scheiße', 'scheisse', 'SCHEISSE', 'SCHEIẞE', 'Scheiße'] },
  },
  {
    expression: 'enculé',
    language: 'fr',
    matches: { 'word or disguise': ['encule', 'enculé', 'encule\u0301'] },
  },
  { expression: 'cabrón', language: 'es', matches: { 'word or disguise': ['cabron', 'CABRÓN', 'cabrón'] } },
  {
    expression: 'szar',
    language: 'hu',
    matches: { word: ['szar'] },
    leaves: ['származik', 'szárny', 'szarvas'],
  },
  { expression: 'franc', language: 'hu', matches: { word: ['franc'] }, leaves: ['francia', 'franciák'] },
  {
    expression: 'yarak',
    language: 'tr',
    matches: { word: ['yarak'] },
    leaves: ['ağlayarak', 'oynayarak', 'yaprak'],
  },
  { expression: 'sik', language: 'tr', matches: { word: ['sik', 'SİK'] }, leaves: ['sık', 'şık'] },
  { expression: 'fan', language: 'sv', matches: { word: ['fan'] }, leaves: ['fån', 'fana'] },
  { expression: 'muna', language: 'fi', matches: { word: ['muna'] }, leaves: ['munuainen'] },
  {
    expression: 'くそ',
    language: 'ja',
    matches: { word: ['くそ', 'このくそ', 'くそやろう', 'くそだ'], 'word or disguise': ['クソ'] },
    leaves: ['やくそく', 'たくそん'],
  },
  { expression: 'なめ', language: 'ja', matches: {}, leaves: ['ようなメッセージ'] },
  { expression: 'デブ', language: 'ja', matches: { word: ['デブ', 'このデブ'] }, leaves: ['でブロック'] },
  { expression: 'กู', language: 'th', matches: { word: ['กู', 'กูรู้'] }, leaves: ['ตระกูล'] },
  { expression: '좆', language: 'ko', matches: { word: ['좆', '개좆같은', '좆같네'] } },
  {
    expression: '시발',
    language: 'ko',
    matches: { word: ['시발'] },
    leaves: ['다시 발표', '동시발매', '11시발 기차'],
  },
]

const compileList = (language: string, ...expressions: string[]) =>
  compileFilter({ lists: [{ language, expressions } satisfies List], allowed: [] })

for (const { expression, language = 'en', matches, leaves = [] } of MEANINGS)
  describe(`${expression} in ${language}`, () => {
    const filter = compileList(language, expression)
    for (const [rules, texts] of Object.entries(matches))
      test.each(texts.map((text) => [text]))(`matches %j by ${rules}`, (text) => {
        const [hit, ...others] = filter.find(text, language)
        expect(hit).toMatchObject({ expression, language })
        expect(rules.split(' or ')).toContain(hit?.rule ?? '')
        expect(others).toEqual([])
      })
    test.each(leaves.map((text) => [text]))('does not match %j', (text) => {
      expect(filter.find(text, language)).toEqual([])
    })
  })

describe('the English starter', () => {
  const file = path.join(import.meta.dir, '../../starters/en.txt')
  const filter = compileList('en', ...readFileSync(file, 'utf8').trim().split('\n'))
  test.each('cunts fags twats wanker wankers asses dicks kikes dildos blowjobs fucking shits'.split(' '))(
    'masks %s',
    (word) => {
      expect(filter.clean(word, 'en').text).toBe('*'.repeat(word.length))
    },
  )
})
