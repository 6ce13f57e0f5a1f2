import { describe, expect, test } from 'bun:test'
import { packExpressions } from '../expressions.ts'
import type { FilterListKind } from '../model.ts'
import type { CompiledFilter, FilterSource } from '../ports/filter-compiler.ts'
import { ActiveFilter } from './active-filter.ts'
import { State } from './state.ts'

/** Finishes a compilation on demand. Its filters turn any text into the languages of the lists they were compiled from. */
class SlowCompiler {
  readonly sources: FilterSource[] = []
  #inProgress: PromiseWithResolvers<CompiledFilter> | undefined

  compile(source: FilterSource): Promise<CompiledFilter> {
    expect(this.#inProgress).toBeUndefined()
    this.sources.push(source)
    this.#inProgress = Promise.withResolvers()
    return this.#inProgress.promise
  }

  /** Settles the compilation in progress and lets its callers continue. */
  async finish(failure?: Error): Promise<void> {
    const inProgress = this.#inProgress
    const languages = this.sources
      .at(-1)
      ?.lists.map(({ language }) => language)
      .join()
    this.#inProgress = undefined
    if (failure === undefined) inProgress?.resolve({ clean: () => ({ text: `${languages}`, hits: [] }) })
    else inProgress?.reject(failure)
    await new Promise((resolve) => setImmediate(resolve))
  }
}

function setUp() {
  const state = new State()
  const compiler = new SlowCompiler()
  const activeFilter = new ActiveFilter({ state, compiler })
  const edit = (language: string, kind: FilterListKind = 'forbidden') => {
    state.apply({
      kind: 'filter-list-set',
      list: { kind, language, expressions: packExpressions([]) },
      version: state.version + 1,
    })
    const seen = { outcome: 'pending' }
    activeFilter.whenCurrent().then(
      () => Object.assign(seen, { outcome: 'active' }),
      ({ kind }) => Object.assign(seen, { outcome: kind }),
    )
    return seen
  }
  return { compiler, activeFilter, edit, used: () => activeFilter.clean('text', 'en').text }
}

describe('ActiveFilter', () => {
  test('compiles nothing and leaves texts unchanged without lists', async () => {
    const { compiler, activeFilter, used } = setUp()
    await activeFilter.whenCurrent()
    expect([used(), compiler.sources.length]).toEqual(['text', 0])
  })

  test('uses the old filter until the new one is compiled', async () => {
    const { compiler, edit, used } = setUp()
    const first = edit('en')
    expect(used()).toBe('text')
    await compiler.finish()
    expect([used(), first.outcome]).toEqual(['en', 'active'])
  })

  test('compiles forbidden and allowed lists', async () => {
    const { compiler, edit } = setUp()
    edit('en')
    await compiler.finish()
    const allowed = edit('ko', 'allowed')
    await compiler.finish()
    expect(allowed.outcome).toBe('active')
    expect(compiler.sources.at(-1)).toEqual({
      lists: [{ kind: 'forbidden', language: 'en', expressions: packExpressions([]) }],
      allowed: [{ kind: 'allowed', language: 'ko', expressions: packExpressions([]) }],
    })
  })

  test('compiles edits made during a compilation together', async () => {
    const { compiler, edit, used } = setUp()
    const first = edit('aa')
    const others = [edit('bb'), edit('cc'), edit('dd')]
    await compiler.finish()
    expect([used(), first.outcome]).toEqual(['aa', 'active'])
    expect(others.map(({ outcome }) => outcome)).toEqual(['pending', 'pending', 'pending'])
    await compiler.finish()
    expect(used()).toBe('aa,bb,cc,dd')
    expect(others.map(({ outcome }) => outcome)).toEqual(['active', 'active', 'active'])
    expect(compiler.sources).toHaveLength(2)
  })

  test('keeps the old filter if compilation fails, and retries on the next check', async () => {
    const { compiler, activeFilter, edit, used } = setUp()
    edit('aa')
    await compiler.finish()
    const failed = edit('bb')
    await activeFilter.check()
    await compiler.finish(new Error('no memory'))
    expect([used(), failed.outcome]).toEqual(['aa', 'unavailable'])
    const check = activeFilter.check()
    await compiler.finish()
    await check
    expect(used()).toBe('aa,bb')
  })

  test('does not fail an edit because the previous one failed', async () => {
    const { compiler, edit, used } = setUp()
    const first = edit('aa')
    const second = edit('bb')
    await compiler.finish(new Error('no memory'))
    expect([first.outcome, second.outcome]).toEqual(['unavailable', 'pending'])
    await compiler.finish()
    expect([used(), second.outcome]).toEqual(['aa,bb', 'active'])
  })
})
