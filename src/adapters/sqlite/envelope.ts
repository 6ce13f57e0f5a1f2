import type { FilterList } from '../../core/model.ts'

/** Long texts of a call or a result, sent beside its JSON: copying a text costs a hundredth of encoding it. */
export interface HasTexts {
  readonly texts?: readonly string[] | undefined
}

/** The texts of each item, in the order of the items. */
export type Texts = readonly (readonly string[] | undefined)[]

/** A message between threads. JSON, because a structured clone of the same calls costs twice as much. */
export type Envelope = string | { readonly json: string; readonly texts: Texts }

export const pack = (json: string, items: readonly HasTexts[]): Envelope =>
  items.some(({ texts }) => texts !== undefined) ? { json, texts: items.map(({ texts }) => texts) } : json

export const unpack = (envelope: Envelope) =>
  typeof envelope === 'string' ? { json: envelope, texts: [] } : envelope

/** Returns the items without their texts, for JSON. */
export const detachTexts = <T extends HasTexts>(items: readonly T[]): T[] =>
  items.map((item) => (item.texts === undefined ? item : { ...item, texts: undefined }))

/** Restores the texts of the items. */
export const attachTexts = <T extends HasTexts>(items: readonly T[], texts: Texts): readonly T[] =>
  texts.length === 0
    ? items
    : items.map((item, index) => (texts[index] === undefined ? item : { ...item, texts: texts[index] }))

export const withoutText = (list: FilterList): FilterList => withText(list, '')

export const withText = (list: FilterList, text: string): FilterList => ({
  ...list,
  expressions: { ...list.expressions, text },
})

/** The return value of a read with long texts. */
export class WithTexts<T> {
  readonly value: T
  readonly texts: readonly string[]

  constructor(value: T, texts: readonly string[]) {
    this.value = value
    this.texts = texts
  }
}
