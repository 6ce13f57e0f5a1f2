import type { Body, CompressedVariants } from '../compression.ts'
import { BASE_PATH } from '../operation.ts'

/** A page outside the table of operations: health, metrics, documentation, assets. Serves GET and HEAD. */
export type Page = (request: PageRequest) => Promise<PageResponse> | PageResponse

export interface PageRequest {
  readonly path: string
  readonly header: (name: string) => string | null
  /** Aborted when the server begins to drain. A long-lived response must end then. */
  readonly draining: AbortSignal
}

export interface PageResponse {
  readonly status: number
  readonly body: Body
  readonly headers: Readonly<Record<string, string>>
  /** Set when the body never changes. */
  readonly variants?: CompressedVariants
  /** Exempt from the idle timeout, as an event stream must be. */
  readonly isLongLived?: true
}

/** Pages by path. A path that ends with `/*` stands for everything below it. */
export type Pages = ReadonlyMap<string, Page>

export interface PageRoute {
  /** The path as registered, for metrics: it has few values, whatever clients request. */
  readonly path: string
  readonly page: Page
}

/** Finds pages by path. An exact path wins over a folder, a longer folder over a shorter one. */
export class PageRouter {
  readonly #exact: ReadonlyMap<string, PageRoute>
  readonly #folders: readonly PageRoute[]

  constructor(pages: Pages) {
    const routes = Array.from(pages, ([path, page]) => ({ path, page }))
    this.#exact = new Map(routes.map((route) => [route.path, route]))
    this.#folders = routes
      .filter(({ path }) => path.endsWith('/*'))
      .sort((one, other) => other.path.length - one.path.length)
  }

  /** A folder never hides a path of the API. */
  find(path: string): PageRoute | undefined {
    return this.#exact.get(path) ?? (isApiPath(path) ? undefined : this.#findFolder(path))
  }

  #findFolder(path: string): PageRoute | undefined {
    return this.#folders.find((folder) => path.startsWith(folder.path.slice(0, -1)))
  }
}

export const isApiPath = (path: string) => path === BASE_PATH || path.startsWith(`${BASE_PATH}/`)
