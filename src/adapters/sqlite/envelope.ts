import type { FilterList } from '../../core/model.ts'

/** Long texts of a call or a result: they travel beside its JSON, since a copy costs a hundredth of what JSON does. */
export interface HasTexts {
  readonly texts?: readonly string[] | undefined
}

/** The texts of each item, in the order of the items. */
export type Texts = readonly (readonly string[] | undefined)[]

/** What goes from thread to thread: JSON, since a structured clone of the same calls costs twice as much. */
export type Envelope = string | { readonly json: string; readonly texts: Texts }

export const pack = (json: string, items: readonly HasTexts[]): Envelope =>
  items.some(({ texts }) => texts !== undefined) ? { json, texts: items.map(({ texts }) => texts) } : json

export const unpack = (parcel: Envelope) =>
  typeof parcel === 'string' ? { json: parcel, texts: [] } : parcel

/** The items for JSON. */
export const detachTexts = <T extends HasTexts>(items: readonly T[]): T[] =>
  items.map((item) => (item.texts === undefined ? item : { ...item, texts: undefined }))

/** The items with their texts again. */
export const attachTexts = <T extends HasTexts>(items: readonly T[], texts: Texts): readonly T[] =>
  texts.length === 0
    ? items
    : items.map((item, index) => (texts[index] === undefined ? item : { ...item, texts: texts[index] }))

export const withoutText = (list: FilterList): FilterList => withText(list, '')

export const withText = (list: FilterList, text: string): FilterList => ({
  ...list,
  expressions: { ...list.expressions, text },
})
