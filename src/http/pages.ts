/** Pages outside the API's own table: health, metrics, documents. Looked up by path; they answer GET and HEAD. */
export type Pages = ReadonlyMap<string, () => Promise<PageAnswer> | PageAnswer>

export interface PageAnswer {
  readonly status: number
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}
