import { type Operation, PATH_PROPERTY } from './operation.ts'

/** The operations of a path, by method. */
type Methods = ReadonlyMap<string, Operation>

export interface Route {
  readonly methods: Methods
  /** The properties in the path, still percent-encoded. */
  readonly segments: Readonly<Record<string, string>>
}

/** Finds the operations of a path. */
export class Router {
  readonly #fixed = new Map<string, Route>()
  readonly #patterns: { readonly pattern: RegExp; readonly methods: Methods }[] = []

  constructor(operations: readonly Operation[], basePath: string) {
    for (const [path, rows] of Map.groupBy(operations, (row) => basePath + row.path)) {
      const methods = new Map(rows.map((row) => [row.method, row]))
      const pattern = path.replace(PATH_PROPERTY, '(?<$1>[^/]+)')
      if (pattern === path) this.#fixed.set(path, { methods, segments: {} })
      else this.#patterns.push({ pattern: new RegExp(`^${pattern}$`), methods })
    }
  }

  /** A path without properties takes precedence and costs one lookup. */
  find(path: string): Route | undefined {
    return this.#fixed.get(path) ?? this.#match(path)
  }

  #match(path: string): Route | undefined {
    for (const { pattern, methods } of this.#patterns) {
      const match = pattern.exec(path)
      if (match !== null) return { methods, segments: match.groups ?? {} }
    }
    return undefined
  }
}
