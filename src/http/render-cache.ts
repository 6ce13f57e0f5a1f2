import type { ListShape, Page } from './paging.ts'
import { type RenderedList, renderFirst, renderPage } from './render.ts'

/** Caches the JSON of whole lists and its compressed variants, keyed by the array: a changed list is another array. */
export class RenderCache {
  readonly #entries = new WeakMap<object, RenderedList | Promise<RenderedList>>()

  render<T>(
    shape: ListShape<T>,
    items: readonly T[],
    page: Page | undefined,
  ): RenderedList | Promise<RenderedList> {
    if (page !== undefined) return renderPage(shape, items, page)
    return this.#entries.get(items) ?? this.#fill(shape, items)
  }

  /** Concurrent requests share one rendering. */
  #fill<T>(shape: ListShape<T>, items: readonly T[]): Promise<RenderedList> {
    const rendering = renderFirst(shape, items).then((rendered) => {
      const entry = { ...rendered, variants: new Map() }
      this.#entries.set(items, entry)
      return entry
    })
    this.#entries.set(items, rendering)
    rendering.catch(() => this.#entries.delete(items))
    return rendering
  }
}
