import type { Body, CompressedVariants } from '../compression.ts'

/** Pages outside the API's own table: health, metrics, documents. Looked up by path; they answer GET and HEAD. */
export type Pages = ReadonlyMap<string, (request: PageRequest) => Promise<PageResponse> | PageResponse>

export interface PageRequest {
  readonly header: (name: string) => string | null
}

export interface PageResponse {
  readonly status: number
  readonly body: Body
  readonly headers: Readonly<Record<string, string>>
  /** Of a page that stays the same. */
  readonly variants?: CompressedVariants
}
