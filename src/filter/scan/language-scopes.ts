import type { CompiledFilter } from '../compiled.ts'

/** What concerns a language. */
export interface Scope {
  /** Of each list whether it does. */
  readonly applies: Uint8Array
  /** What may stand behind the patterns that end in each state of the automaton; those of other lists may be among them. */
  readonly ends: Uint8Array
}

export const EVERY_LANGUAGE = 'all'
const MAX_LANGUAGES = 1000
/** Longer ones are worked out each time, so that the cache has a size. */
const MAX_LANGUAGE_UNITS = 64
/** Scopes with a table of their own, which is as large as the automaton. */
const MAX_SCOPES = 32

const keyOf = (language: string) => language.toLowerCase().replaceAll('_', '-')

/** The scopes of the languages that messages come in. A language uses the list `all`, its own and those of its parents. */
export class Scopes {
  readonly #compiled: CompiledFilter
  /** Of each list. */
  readonly #languages: readonly string[]
  readonly #byLanguage = new Map<string, Scope>()
  readonly #byLists = new Map<string, Scope>()
  /** For the languages that come when `MAX_SCOPES` are in use: right for all of them, if slower than their own would be. */
  #endsOfAll: Uint8Array | undefined
  /** Of the message before: most come in the same language. */
  #language: string | undefined
  #scope: Scope = { applies: new Uint8Array(), ends: new Uint8Array() }

  constructor(compiled: CompiledFilter, languages: readonly string[]) {
    this.#compiled = compiled
    this.#languages = languages.map(keyOf)
  }

  of(language: string): Scope {
    if (language === this.#language) return this.#scope
    this.#scope = this.#byLanguage.get(language) ?? this.#open(language)
    this.#language = language
    return this.#scope
  }

  /** Works out what concerns a language, at its first message. */
  #open(language: string): Scope {
    const spoken = keyOf(language)
    const isUsed = (list: string) =>
      list === EVERY_LANGUAGE || spoken === list || spoken.startsWith(`${list}-`)
    const applies = Uint8Array.from([...this.#languages.map((list) => (isUsed(list) ? 1 : 0)), 1])
    const scope = this.#scopeOf(applies)
    if (language.length > MAX_LANGUAGE_UNITS) return scope
    if (this.#byLanguage.size >= MAX_LANGUAGES) this.#byLanguage.clear()
    this.#byLanguage.set(language, scope)
    return scope
  }

  #scopeOf(applies: Uint8Array): Scope {
    const key = applies.join('')
    const known = this.#byLists.get(key)
    if (known !== undefined) return known
    if (this.#byLists.size >= MAX_SCOPES) return { applies, ends: this.#everyEnd() }
    const scope = { applies, ends: this.#endsFor(applies) }
    this.#byLists.set(key, scope)
    return scope
  }

  #everyEnd(): Uint8Array {
    this.#endsOfAll ??= this.#endsFor(new Uint8Array(this.#languages.length + 1).fill(1))
    return this.#endsOfAll
  }

  /** Of the lists that apply. */
  #endsFor(applies: Uint8Array): Uint8Array {
    const { automaton, candidates } = this.#compiled
    const { states, lists, nexts, heirs } = candidates
    const ends = new Uint8Array(automaton.nextEnds.length)
    const add = (state: number, next: number) => {
      ends[state] = (ends[state] ?? 0) | next
    }
    for (let place = 0; place < states.length; place++)
      if (applies[lists[place] ?? 0] === 1) add(states[place] ?? 0, nexts[place] ?? 0)
    for (const state of heirs) add(state, ends[automaton.nextEnds[state] ?? 0] ?? 0)
    return ends
  }
}
