import { describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { readChanges } from '../../scripts/starters/changes.ts'
import { compileFilter } from '../../src/filter/compile/compile.ts'

const STARTERS = path.join(import.meta.dir, '../../starters')
const SENTENCES = path.join(import.meta.dir, 'everyday')

/** The most vulgar words of each starter list. */
const VULGAR: Readonly<Record<string, string>> = {
  ar: 'كس, طيز, زب, نيك, شرموطة, قحبة, متناك, عرص, خول, عاهرة',
  cs: 'kurva, piča, kokot, čurák, hovno, prdel, mrdka, zmrd, jebat, kunda',
  da: 'fisse, fuck, lort, luder, pik, røv, røvhul, shit, hestepik, piksutteri',
  de: 'arsch, arschloch, ficken, fotze, hure, hurensohn, nutte, schlampe, wichser, scheiße',
  en: 'fuck, shit, cunt, bitch, nigger, faggot, asshole, motherfucker, whore, slut',
  eo: 'fek, fiki, fiku, fekulo, kaco, kacsuĉulo, piĉo, forfiku, bugri, diofek',
  es: 'puta, mierda, cabrón, coño, gilipollas, follar, hijo de puta, maricón, verga, pendejo',
  fa: 'کیر, کون, کسکش, جنده, کونی, کیری, کونکش, جق, لاشی, حشری',
  fi: 'vittu, paska, perkele, perse, kyrpä, mulkku, huorata, neekeri, pillu, kusipää',
  fil: 'putang ina, tangina, tang ina, burat, bayag, ulol, kantot, jakol, nognog, puta ka',
  'fr-CA': 'noune, osti, criss, crisse, calice, tabarnak, viarge',
  fr: 'putain, merde, connard, salope, enculé, pute, fils de pute, nique ta mère, bite, couilles',
  hi: 'madarchod, chutiya, randi, gaand, lund, bhosadi ke, behen chod, gandu, jhantu, bhadva',
  hu: 'kurva, balfasz, geci, picsa, kibaszott, segg, bazmeg, pina, csöcs, seggfej',
  it: 'cazzo, merda, puttana, vaffanculo, stronzo, minchia, coglione, troia, figa, frocio',
  ja: 'まんこ, ちんこ, オマンコ, フェラチオ, 巨乳, 中出し, 輪姦, ニガー, ビッチ, おっぱい',
  kab: 'abbuc, aḥeččun, taḥeččunt, axuzziḍ, qqu, qquɣ, qqiɣ, taxna, awellaq, ajeḥniḍ',
  ko: '씨발, 개새끼, 병신, 좆, 지랄, 미친놈, 보지, 자지, 창녀, 존나',
  nl: 'kut, hoer, neuken, klootzak, godverdomme, slet, flikker, eikel, teef, verneuken',
  no: 'faen, fitte, kuk, jævla, dritt, helvete, nigger, ståpikk, drittsekk, morraknuller',
  pl: 'kurwa, chuj, pizda, jebać, pierdolić, dupa, skurwysyn, cipa, kutas, gówno',
  pt: 'caralho, porra, puta, merda, foder, boceta, filho da puta, cona, paneleiro, bosta',
  ru: 'хуй, пизда, ебать, блядь, жопа, говно, гандон, на хуй, pizda, охуеть',
  sv: 'fitta, kuk, knulla, jävlar, helvete, röv, satan, runka, neger, skita',
  th: 'ควย, เย็ด, หี, เหี้ย, ไอ้สัด, มึง, แม่ง, ตอแหล, ส้นตีน, ดอกทอง',
  tlh: "ghuy'cha', QI'yaH, Qu'vatlh",
  tr: 'orospu, sik, amcık, göt, siktir, yarak, taşak, kaltak, götveren, sikmek',
  zh: '操你妈, 傻逼, 鸡巴, 婊子, 王八蛋, 他妈的, 妈逼, 强奸, 口交, 贱人',
}

/** The mark of an expression that turns rules off. */
const NARROWED = /(?<=[\p{L}\p{M}])!(?:[a-z,]+)?$/u

const readLines = (file: string) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')

const languages = readdirSync(STARTERS)
  .filter((name) => name.endsWith('.txt'))
  .map((name) => path.basename(name, '.txt'))

describe.each(languages)('starter list %s', (language) => {
  const expressions = readLines(path.join(STARTERS, `${language}.txt`))
  const filter = compileFilter({ lists: [{ language, expressions }], allowed: [] })

  test('masks no everyday sentence', () => {
    const sentences = readLines(path.join(SENTENCES, `${language}.txt`))
    expect(sentences.length).toBeGreaterThanOrEqual(10)
    expect(sentences.map((sentence) => filter.clean(sentence, language).text)).toEqual(sentences)
  })

  test('masks its most vulgar words', () => {
    const words = (VULGAR[language] ?? '').split(', ')
    const passed = words.filter((word) => filter.clean(`- ${word} -`, language).text.includes(word))
    expect(passed).toEqual([])
    expect(words.length).toBe(Math.min(10, expressions.length))
  })

  test('masks the words themselves that it narrows', () => {
    const words = expressions.filter((each) => NARROWED.test(each)).map((each) => each.replace(NARROWED, ''))
    expect(words.filter((word) => filter.clean(word, language).text === word)).toEqual([])
  })

  test('contains the reviewed changes of its source', () => {
    const listed = new Set(expressions)
    for (const { from, to } of readChanges(language)) {
      if (from !== undefined) expect(listed).not.toContain(from)
      if (to !== undefined) expect(listed).toContain(to)
    }
  })
})
