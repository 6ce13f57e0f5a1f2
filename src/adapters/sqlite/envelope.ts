import type { FilterList } from '../../core/model.ts'

/** Long parts of a call or a result, sent beside its JSON: copying them costs a hundredth of encoding them. */
export interface Attachments {
  readonly texts?: readonly string[]
  readonly numbers?: Float64Array
}

interface Item {
  readonly attachments?: Attachments | undefined
}

/** The attachments of each item, in the order of the items. */
export type ItemAttachments = readonly (Attachments | undefined)[]

/** A message between the main thread and a worker. JSON, since a structured clone costs twice as much. */
export type Envelope = string | { readonly json: string; readonly attachments: ItemAttachments }

export const pack = (json: string, items: readonly Item[]): Envelope =>
  items.some(({ attachments }) => attachments !== undefined)
    ? { json, attachments: items.map(({ attachments }) => attachments) }
    : json

export const unpack = (envelope: Envelope) =>
  typeof envelope === 'string' ? { json: envelope, attachments: [] } : envelope

/** Returns the items without their attachments, for JSON. */
export const detach = <T extends Item>(items: readonly T[]): T[] =>
  items.map((item) => (item.attachments === undefined ? item : { ...item, attachments: undefined }))

/** Restores the attachments of the items. */
export const attach = <T extends Item>(items: readonly T[], attachments: ItemAttachments): readonly T[] =>
  attachments.length === 0
    ? items
    : items.map((item, index) =>
        attachments[index] === undefined ? item : { ...item, attachments: attachments[index] },
      )

/** The return value of a command with attachments. */
export class WithAttachments<T> {
  readonly value: T
  readonly attachments: Attachments

  constructor(value: T, attachments: Attachments) {
    this.value = value
    this.attachments = attachments
  }
}

export const withoutText = (list: FilterList): FilterList => withText(list, '')

export const withText = (list: FilterList, text: string): FilterList => ({
  ...list,
  expressions: { ...list.expressions, text },
})
