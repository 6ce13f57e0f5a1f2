import { describe, expect, test } from 'bun:test'
import { isKanaWord, mixesKana } from './kana.ts'

/** Texts with brackets around a span. */
const spanOf = (marked: string) => {
  const text = marked.replace(/[[\]]/g, '')
  return [text, marked.indexOf('['), marked.indexOf(']') - 1] as const
}

test.each([
  ['よう[なメ]ッセージ', true],
  ['[でブ]ロック', true],
  ['[くそ]', false],
  ['[クソ]', false],
  ['[くそー]', false],
  ['[クソー]', false],
  ['[死ね]', false],
  ['[くsソ]', true],
])('mixesKana: %s', (marked, isMixed) => expect(mixesKana(...spanOf(marked))).toBe(isMixed))

describe('isKanaWord', () => {
  test.each([
    '[くそ]',
    'この[くそ]',
    '[くそ]やろう',
    '[くそ]だ',
    '[くそ]ー！',
    '[くそ]、',
    '[くそ]野郎',
    '[くそ]みたい',
    '[くそ]ったれ',
    '下手[くそ]',
    'マジで[くそ]ですね',
    'お前は[ばか]か',
    '[ばか]め',
    '[きもい]んだよ',
    '[うざい]んですけど',
    'これは[うんこ]じゃん',
    '[クソ]野郎',
    '[クソ]だな',
    '[クソ]ー！',
    'この[バカ]が',
    'お前[バカ]？',
    '[チンコ]マン',
    '[ファック]ユー',
    '[死ね]ばいい',
    'a[ばか]b',
  ])('accepts %s', (marked) => expect(isKanaWord(...spanOf(marked))).toBe(true))

  test.each([
    'や[くそ]く',
    'この前のや[くそ]く',
    'しばら[くそ]れが',
    'おそら[くそ]の',
    '高[くそ]びえる',
    'よ[くそ]んな',
    'でもよ[くそ]んな',
    'な[くそ]う',
    'とく[そく]',
    '[ばか]りの',
    '半[ばか]ら',
    'そ[ばか]す',
    'すれ[ばか]なり',
    'な[なめ]に',
    '[なめ]らか',
    'よう[なメ]ッセージ',
    '[でブ]ロック',
    'つ[ぶす]か',
    '[きち]んと',
    '[うんこ]う',
    '[グロ]ーバル',
    'プロ[グロ]',
    'モンテネ[グロ]',
    'サ[クソ]ン人',
    'ネットワー[クソ]ケット',
    'サ[ブス]クリプション',
    'フォー[カス]',
    '[カス]タム',
    'イ[エロ]ー',
    'メ[ゲイ]',
  ])('rejects %s', (marked) => expect(isKanaWord(...spanOf(marked))).toBe(false))
})
