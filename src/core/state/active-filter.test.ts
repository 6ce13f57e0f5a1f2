import { describe, expect, test } from 'bun:test'
import { packExpressions } from '../expressions.ts'
import type { FilterListKind } from '../model.ts'
import type { CompiledFilter, FilterSource } from '../ports/filter-compiler.ts'
import { ActiveFilter } from './active-filter.ts'
import { State } from './state.ts'

/** Makes a filter when it is told to. What it gives for any text are the languages of the lists it was made of. */
class SlowCompiler {
  readonly sources: FilterSource[] = []
  #underWay: PromiseWithResolvers<CompiledFilter> | undefined

  compile(source: FilterSource): Promise<CompiledFilter> {
    expect(this.#underWay).toBeUndefined()
    this.sources.push(source)
    this.#underWay = Promise.withResolvers()
    return this.#underWay.promise
  }

  /** Gives those who wait the chance to go on. */
  async finish(failure?: Error): Promise<void> {
    const underWay = this.#underWay
    const languages = this.sources
      .at(-1)
      ?.lists.map(({ language }) => language)
      .join()
    this.#underWay = undefined
    if (failure === undefined) underWay?.resolve({ clean: () => ({ text: `${languages}`, hits: [] }) })
    else underWay?.reject(failure)
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
    const seen = { outcome: 'waits' }
    activeFilter.whenCurrent().then(
      () => Object.assign(seen, { outcome: 'in force' }),
      ({ kind }) => Object.assign(seen, { outcome: kind }),
    )
    return seen
  }
  return { compiler, activeFilter, edit, used: () => activeFilter.clean('text', 'en').text }
}

describe('the filter in force', () => {
  test('without lists forbids nothing, and nothing is compiled', async () => {
    const { compiler, activeFilter, used } = setUp()
    await activeFilter.whenCurrent()
    expect([used(), compiler.sources.length]).toEqual(['text', 0])
  })

  test('goes on while the next one is made, which takes its place at once', async () => {
    const { compiler, edit, used } = setUp()
    const first = edit('en')
    expect(used()).toBe('text')
    await compiler.finish()
    expect([used(), first.outcome]).toEqual(['en', 'in force'])
  })

  test('is made of what is forbidden and of what is allowed', async () => {
    const { compiler, edit } = setUp()
    edit('en')
    await compiler.finish()
    const allowed = edit('ko', 'allowed')
    await compiler.finish()
    expect(allowed.outcome).toBe('in force')
    expect(compiler.sources.at(-1)).toEqual({
      lists: [{ kind: 'forbidden', language: 'en', expressions: packExpressions([]) }],
      allowed: [{ kind: 'allowed', language: 'ko', expressions: packExpressions([]) }],
    })
  })

  test('edits that come meanwhile share the next one, made of the newest state', async () => {
    const { compiler, edit, used } = setUp()
    const first = edit('aa')
    const others = [edit('bb'), edit('cc'), edit('dd')]
    await compiler.finish()
    expect([used(), first.outcome]).toEqual(['aa', 'in force'])
    expect(others.map(({ outcome }) => outcome)).toEqual(['waits', 'waits', 'waits'])
    await compiler.finish()
    expect(used()).toBe('aa,bb,cc,dd')
    expect(others.map(({ outcome }) => outcome)).toEqual(['in force', 'in force', 'in force'])
    expect(compiler.sources).toHaveLength(2)
  })

  test('stays when none can be made of an edit, and a later attempt puts the newest lists in force', async () => {
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

  test('an edit is not refused for the failure of one before it', async () => {
    const { compiler, edit, used } = setUp()
    const first = edit('aa')
    const second = edit('bb')
    await compiler.finish(new Error('no memory'))
    expect([first.outcome, second.outcome]).toEqual(['unavailable', 'waits'])
    await compiler.finish()
    expect([used(), second.outcome]).toEqual(['aa,bb', 'in force'])
  })
})
