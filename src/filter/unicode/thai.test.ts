import { describe, expect, test } from 'bun:test'
import { splitsSyllable } from './thai.ts'

/** Texts with a bar at an index. */
const isSplit = (marked: string) => splitsSyllable(marked.replace('|', ''), marked.indexOf('|'))

describe('splitsSyllable', () => {
  test.each([
    ['a tone mark', 'แม|่'],
    ['a vowel above or below', 'ก|ูรู'],
    ['a following vowel', 'ห|า'],
    ['the vowel am', 'ห|ำ'],
    ['the second half of a vowel', 'เก|าะ'],
    ['a silenced consonant', 'กู|ล์'],
  ])('is true before %s: %s', (_, marked) => expect(isSplit(marked)).toBe(true))

  test.each(['เ|ก', 'แ|ม่', 'โ|ง่', 'ใ|จ', 'ไ|ป'])('is true after a leading vowel: %s', (marked) =>
    expect(isSplit(marked)).toBe(true),
  )

  test.each([
    'ตระกู|ล',
    'ตระกู|ลมูลชาติ',
    'ตระกู|ลเดียว',
    'หี|บ',
    'หี|บเพลง',
    'หี|บศพ',
    'หี|บห่อ',
    'ศู|นย์',
    'ห่า|ง',
    'ห่า|งไกล',
    'แม่|น',
    'แม่|นยำ',
    'สั|ด',
    'มื|อ',
    'เป็|น',
    'เป็|นคน',
    'ลู|กกู',
  ])('is true before a final consonant: %s', (marked) => expect(isSplit(marked)).toBe(true))

  test.each([
    'กู|รู้',
    'กู|จะ',
    'กู|ไม่',
    'กู|กลับ',
    'กู|บอก',
    'กู|สวย',
    'กู|หมด',
    'กู|มึง',
    'มึง|กู',
    'ไอ้|ควย',
    'ควย|มึง',
    'ลูก|กู',
    'ก็|ดี',
    'ก็|ลด',
    'กู|อเมริกัน',
    'กู|สนุก',
    'กู|ตลก',
    'ห่า|อะไร',
    'สัด|ๆ',
    'แม่|ไป',
    'ที่|พรรค',
  ])('is false between syllables: %s', (marked) => expect(isSplit(marked)).toBe(false))

  test.each(['|กู', 'กู|', 'กู| ล', 'a|กู', 'กู|a', 'กู|5', '่|ก', '|'])(
    'is false next to anything else: %s',
    (marked) => expect(isSplit(marked)).toBe(false),
  )
})
