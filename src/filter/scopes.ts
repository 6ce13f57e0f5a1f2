import type { CompiledFilter } from './compiled.ts'

/** What concerns a language. */
export interface Scope {
  /** Of each list whether it does. */
  readonly applies: Uint8Array
  /** What may stand behind the patterns that end in each state of the automaton. */
  readonly ends: Uint8Array
}

export const EVERY_LANGUAGE = 'all'
const MAX_LANGUAGES = 1000
const MAX_SCOPES = 32

const keyOf = (language: string) => language.toLowerCase().replaceAll('_', '-')

/** The scopes of the languages that messages come in. A language uses the list `all`, its own and those of its parents. */
export class Scopes {
  readonly #compiled: CompiledFilter
  /** Of each list. */
  readonly #languages: readonly string[]
  readonly #byLanguage = new Map<string, Scope>()
  readonly #byLists = new Map<string, Scope>()
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
    const parts = keyOf(language).split('-')
    const used = new Set([EVERY_LANGUAGE, ...parts.map((_, index) => parts.slice(0, index + 1).join('-'))])
    const applies = Uint8Array.from([...this.#languages.map((each) => (used.has(each) ? 1 : 0)), 1])
    const key = applies.join('')
    const scope = this.#byLists.get(key) ?? { applies, ends: this.#endsFor(applies) }
    if (this.#byLanguage.size >= MAX_LANGUAGES || this.#byLists.size >= MAX_SCOPES) {
      this.#byLanguage.clear()
      this.#byLists.clear()
    }
    this.#byLists.set(key, scope)
    this.#byLanguage.set(language, scope)
    return scope
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
