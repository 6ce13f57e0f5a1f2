/** Stands in for the engine: nothing is compiled but the allowed lists, which are carried along. */
export interface List {
  readonly language: string
  readonly expressions: readonly string[]
}

export interface FilterSource {
  readonly lists: readonly List[]
  readonly allowed: readonly List[]
}

export interface CompiledFilter {
  readonly allowed: readonly List[]
}

export function compile({ allowed }: FilterSource): CompiledFilter {
  return { allowed }
}

export function buffersOf(_: CompiledFilter): ArrayBuffer[] {
  return []
}
