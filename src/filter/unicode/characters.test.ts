import { describe, expect, test } from 'bun:test'
import { baseOf, classOf, foldedOf, lookAlikesOf, scriptOf, standsFor } from './characters.ts'
import { Script } from './scripts.ts'

const LAST = 0x1_ffff
const codeOf = (character: string) => character.codePointAt(0) ?? 0
const everyCode = () => Array.from({ length: LAST + 1 }, (_, code) => code)

/** Whether each character of a text can stand for the letter at the same place. */
const spells = (text: string, word: string) => {
  const letters = Array.from(word, codeOf)
  const codes = Array.from(text, codeOf)
  return codes.length === letters.length && codes.every((code, at) => standsFor(code, letters[at] ?? 0))
}

describe('standsFor', () => {
  test.each([
    ['ғυcκ', 'fuck'],
    ['₣ʉ₵₭', 'fuck'],
    ['ƒµ¢к', 'fuck'],
    ['ꜰᴜᴄᴋ', 'fuck'],
    ['𝐅𝓾🅒Ｋ', 'fuck'],
    ['ᖴᑌᑕK', 'fuck'],
    ['ᎦᏬፈᏦ', 'fuck'],
    ['ꎇꀎꉓꀘ', 'fuck'],
    ['ʄʊƈӄ', 'fuck'],
    ['fцcк', 'fuck'],
    ['ɟnɔʞ', 'fnck'],
    ['ꓝꓴꓚꓗ', 'fuck'],
    ['𐐬', 'o'],
    ['šhıt', 'shit'],
    ['$h!†', 'shit'],
    ['sh1т', 'shit'],
    ['ŁØŁ', 'lol'],
    ['biтсн', 'bitch'],
    ['иiggeя', 'nigger'],
    ['шhσre', 'whore'],
    ['fvck', 'fuck'],
    ['kiII', 'kill'],
    ['SIK', 'sık'],
    ['sık', 'sik'],
    ['SİK', 'sik'],
    ['cукa', 'сука'],
    ['CYKA', 'сука'],
    ['сук@', 'сука'],
    ['х0й', 'хой'],
    ['3алупа', 'залупа'],
    ['6лядь', 'блядь'],
    ['c4мо', 'счмо'],
    ['хуё', 'хуе'],
    ['σκaτa', 'σκατα'],
    ['μ@λ4κα', 'μαλακα'],
    ['vтo', 'ντο'],
    ['cabrоn', 'cabrón'],
    ['c@br0n', 'càbrón'],
  ])('%s is read as %s', (text, word) => expect(spells(text, word)).toBe(true))

  test.each([
    ['u', 'v'],
    ['l', 'i'],
    ['i', 'l'],
    ['i', 'ı'],
    ['n', 'u'],
    ['s', '5'],
    ['а', 'о'],
    ['з', 'е'],
    ['в', 'б'],
    ['a', 'ч'],
    ['ο', 'σ'],
    ['漢', '字'],
    ['🇫', 'f'],
    ['か', 'が'],
    ['ß', 'b'],
  ])('%s is not read as %s', (text, letter) => expect(spells(text, letter)).toBe(false))

  test.each([
    '𝒶𝒷𝒸𝒹𝑒𝒻𝑔𝒽𝒾𝒿𝓀𝓁𝓂𝓃𝑜𝓅𝓆𝓇𝓈𝓉𝓊𝓋𝓌𝓍𝓎𝓏',
    'ⓐⓑⓒⓓⓔⓕⓖⓗⓘⓙⓚⓛⓜⓝⓞⓟⓠⓡⓢⓣⓤⓥⓦⓧⓨⓩ',
    '🅰🅱🅲🅳🅴🅵🅶🅷🅸🅹🅺🅻🅼🅽🅾🅿🆀🆁🆂🆃🆄🆅🆆🆇🆈🆉',
    '🄐🄑🄒🄓🄔🄕🄖🄗🄘🄙🄚🄛🄜🄝🄞🄟🄠🄡🄢🄣🄤🄥🄦🄧🄨🄩',
    'ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖqʳˢᵗᵘᵛʷˣʸᶻ',
    'ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘQʀꜱᴛᴜᴠᴡxʏᴢ',
    'ḀḃḉḊḕḟḠḧḭjḲḶṁṆṏṖqṙṠṮṳṼẇẌẏẒ',
    'ȺɃȻĐɆFǤĦƗɈꝀŁMNØⱣꝖɌSŦᵾVWXɎƵ',
    'αв¢∂єƒgнιנкℓмησρqяѕтυνωχуz',
    '₳฿₵ĐɆ₣₲ⱧłJ₭Ⱡ₥₦Ø₱QⱤ₴₮ɄV₩ӾɎⱫ',
    'ąɓƈđε∱ɠɧïʆҡℓɱŋσþҩŗşŧų√щхγẕ',
    'ǟɮƈɖɛʄɢɦɨʝӄʟʍռօքզʀֆȶʊʋաӼʏʐ',
    'ᗩᗷᑕᗪᗴᖴᘜᕼIᒍKᒪᗰᑎOᑭᑫᖇᔕTᑌᐯᗯ᙭Yᘔ',
    'ᏗᏰፈᎴᏋᎦᎶᏂᎥᏠᏦᏝᎷᏁᎧᎮᎤᏒᏕᏖᏬᏉᏇጀᎩፚ',
    'ꭺᏼꮯꭰꭼғꮆꮋꮖꭻꮶꮮꮇꮑꮎꮲqꭱꮪꭲꮜꮩꮃxꮍꮓ',
    'ꍏꌃꉓꀸꍟꎇꁅꃅꀤꀭꀘ꒒ꂵꈤꂦꉣꆰꋪꌗ꓄ꀎꃴꅏꊼꌩꁴ',
    'ꋬꃳꉔ꒯ꏂꊰꍌꁝ꒐꒻ꀘ꒒ꂵꋊꄲꉣꆰꋪꇙ꓄꒤꒦ꅐꉧꌦꁴ',
  ])('%s is read as the alphabet', (styled) =>
    expect(spells(styled, 'abcdefghijklmnopqrstuvwxyz')).toBe(true),
  )

  test('two genuine letters of one script never stand for each other', () => {
    for (const alphabet of [
      'abcdefghijklmnopqrstwxyz',
      'абвгдежзиклмнопрстуфхцчшщъыьэюя',
      'αβγδεζηθικλμνξοπρστυφχψω',
    ])
      for (const one of alphabet)
        for (const other of alphabet)
          expect([one, other, spells(one, other)]).toEqual([one, other, one === other])
  })
})

describe('classOf', () => {
  test('is the same for characters that can stand for one another', () => {
    const classesOfShape = new Map<number, Set<number>>()
    for (const code of everyCode()) {
      expect([code, classOf(foldedOf(code)), classOf(baseOf(code))]).toEqual([
        code,
        classOf(code),
        classOf(code),
      ])
      for (let bit = 0; bit < 32; bit++)
        if ((lookAlikesOf(code) & (1 << bit)) !== 0) {
          const classes = classesOfShape.get(bit) ?? new Set()
          classesOfShape.set(bit, classes.add(classOf(code)))
          if (bit < 26) classes.add(classOf(0x61 + bit))
        }
    }
    expect([...classesOfShape.values()].filter((classes) => classes.size > 1)).toEqual([])
  })
  test('tells Latin letters apart, except i and l, u and v', () => {
    const classes = Array.from('abcdefghijklmnopqrstuvwxyz', (letter) =>
      String.fromCharCode(classOf(codeOf(letter))),
    )
    expect(classes.join('')).toBe('abcdefghijkimnopqrstuuwxyz')
  })
  test('leaves letters without a look-alike a class of their own', () => {
    for (const letter of 'ыюфψאب가傻ก') expect(classOf(codeOf(letter))).toBe(codeOf(letter))
  })
})

test('the Turkish letters i are folded to i or have it as their base', () => {
  expect([foldedOf(codeOf('İ')), foldedOf(codeOf('ı')), baseOf(codeOf('ı'))]).toEqual(
    Array.from('iıi', codeOf),
  )
  expect(Array.from('iIİı', (letter) => classOf(codeOf(letter)))).toEqual(Array(4).fill(codeOf('i')))
})

test.each([
  ['aZéßıʀＡﬁ', Script.latin],
  ['яЁқ', Script.cyrillic],
  ['ωΣά', Script.greek],
  ['あん', Script.hiragana],
  ['アーｱ', Script.katakana],
  ['กูๆเ', Script.thai],
  ['가ㄱ', Script.hangul],
  ['傻々𠮷豈', Script.han],
  ['אبक', Script.other],
  ['1!₵ 　\u0301\u200b🖕٣。÷', Script.none],
])('scriptOf %s', (characters, script) => {
  for (const character of characters)
    expect([character, scriptOf(codeOf(character))]).toEqual([character, script])
})
