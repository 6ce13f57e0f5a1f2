import type { FilterList } from '../../core/model.ts'

/** Long texts of a call or a result are sent beside its JSON: copying them costs a hundredth of encoding them. */
export interface HasTexts {
  readonly texts?: readonly string[] | undefined
}

/** Texts of each item, in the order of the items. */
export type Texts = readonly (readonly string[] | undefined)[]

/** A message between the main thread and a worker. JSON, since a structured clone costs twice as much. */
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
