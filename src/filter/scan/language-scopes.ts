import type { CompiledFilter } from '../compiled.ts'

/** The lists that apply to a language. */
export interface Scope {
  /** 1 for each list that applies. */
  readonly applies: Uint8Array
  /** What may follow the patterns that end in each state, as bits of `Follow`. May include patterns of other lists. */
  readonly followers: Uint8Array
}

export const ALL_LANGUAGES = 'all'
const MAX_LANGUAGES = 1000
/** Scopes of longer codes are not cached, so that the cache is bounded. */
const MAX_LANGUAGE_UNITS = 64
/** Scopes with a table of their own, which is as large as the automaton. */
const MAX_SCOPES = 32

const keyOf = (language: string) => language.toLowerCase().replaceAll('_', '-')

/** Scopes by language. A language uses the list `all`, its own list and those of its parents. */
export class LanguageScopes {
  readonly #compiled: CompiledFilter
  /** The language of each list. */
  readonly #languages: readonly string[]
  readonly #byLanguage = new Map<string, Scope>()
  readonly #byLists = new Map<string, Scope>()
  /** Shared by all languages over `MAX_SCOPES`: correct for each, but slower than a table of its own. */
  #sharedFollowers: Uint8Array | undefined
  /** The last language: most consecutive messages share it. */
  #language: string | undefined
  #scope: Scope = { applies: new Uint8Array(), followers: new Uint8Array() }

  constructor(compiled: CompiledFilter, languages: readonly string[]) {
    this.#compiled = compiled
    this.#languages = languages.map(keyOf)
  }

  of(language: string): Scope {
    if (language === this.#language) return this.#scope
    this.#scope = this.#byLanguage.get(language) ?? this.#create(language)
    this.#language = language
    return this.#scope
  }

  #create(language: string): Scope {
    const spoken = keyOf(language)
    const isUsed = (list: string) =>
      list === ALL_LANGUAGES || spoken === list || spoken.startsWith(`${list}-`)
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
    if (this.#byLists.size >= MAX_SCOPES) return { applies, followers: this.#followersOfAll() }
    const scope = { applies, followers: this.#followersFor(applies) }
    this.#byLists.set(key, scope)
    return scope
  }

  #followersOfAll(): Uint8Array {
    this.#sharedFollowers ??= this.#followersFor(new Uint8Array(this.#languages.length + 1).fill(1))
    return this.#sharedFollowers
  }

  #followersFor(applies: Uint8Array): Uint8Array {
    const { automaton, candidates } = this.#compiled
    const { states, lists, linkedStates } = candidates
    const followers = new Uint8Array(automaton.outputLinks.length)
    const add = (state: number, next: number) => {
      followers[state] = (followers[state] ?? 0) | next
    }
    for (let position = 0; position < states.length; position++)
      if (applies[lists[position] ?? 0] === 1) add(states[position] ?? 0, candidates.followers[position] ?? 0)
    for (const state of linkedStates) add(state, followers[automaton.outputLinks[state] ?? 0] ?? 0)
    return followers
  }
}
