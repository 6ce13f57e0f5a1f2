import type { Measurement } from '../support.ts'
import type { SeededFolders } from './seed.ts'

export interface GrowthOptions {
  readonly isQuick: boolean
  /** Messages in the log of the rows that run over it. */
  readonly messages: number
  readonly folders: SeededFolders
}

/** Rows that are measured together. Their names begin with the name of the part. */
export interface Part {
  readonly name: string
  measure(options: GrowthOptions): Promise<Measurement[]>
}

interface Row {
  readonly what: string
  readonly parley: string
  readonly baseline?: string
  readonly figure: number
  readonly unit: string
}

export const atMost = (bound: number, row: Row): Measurement => ({
  baseline: '',
  ...row,
  target: `≤ ${bound.toLocaleString('en')}`,
  isMet: row.figure <= bound,
})

export const atLeast = (bound: number, row: Row): Measurement => ({
  baseline: '',
  ...row,
  target: `≥ ${bound.toLocaleString('en')}`,
  isMet: row.figure >= bound,
})

export const count = (value: number) => Math.round(value).toLocaleString('en')
