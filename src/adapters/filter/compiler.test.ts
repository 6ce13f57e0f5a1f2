import { afterEach, describe, expect, test } from 'bun:test'
import { packExpressions } from '../../core/expressions.ts'
import type { FilterList } from '../../core/model.ts'
import { WorkerFilterCompiler } from './compiler.ts'
import { startWorker } from './filter-worker.ts'
import type { ToWorker } from './worker.ts'

const list = (language: string, ...expressions: string[]): FilterList => ({
  kind: 'forbidden',
  language,
  expressions: packExpressions(expressions),
})
const words = (count: number) => Array.from({ length: count }, (_, index) => `word${index}`)

/** Counts the turns of the event loop while `isWatched`. */
const loop = { turns: 0, isWatched: false }

function watchLoop(): void {
  loop.turns++
  if (loop.isWatched) setImmediate(watchLoop)
}

const opened: WorkerFilterCompiler[] = []
afterEach(async () => {
  loop.isWatched = false
  for (const compiler of opened.splice(0)) await compiler.close()
})

/** A compiler whose workers run `scripts` in turn, then the real script. Records sent messages and failures. */
function open(...scripts: readonly string[]) {
  const sent: { readonly message: ToWorker; readonly turn: number }[] = []
  const failures: string[] = []
  const waiting = [...scripts]
  const started: Worker[] = []
  const start = () => {
    const script = waiting.shift()
    const worker = script === undefined ? startWorker() : new Worker(URL.createObjectURL(new Blob([script])))
    const post = worker.postMessage.bind(worker)
    worker.postMessage = (message: ToWorker) => {
      sent.push({ message, turn: loop.turns })
      post(message)
    }
    started.push(worker)
    return worker
  }
  const options = { start, timeoutMs: 60_000, onFailure: ({ message }: Error) => failures.push(message) }
  const compiler = new WorkerFilterCompiler(options)
  opened.push(compiler)
  return { compiler, sent, failures, started, options }
}

const errorKindOf = (work: Promise<unknown>) =>
  work.then(
    () => 'none',
    ({ kind }) => kind,
  )

describe('WorkerFilterCompiler', () => {
  test('compiles a filter that masks forbidden and keeps allowed expressions', async () => {
    const { compiler } = open()
    const filter = await compiler.compile({
      lists: [list('all', 'gm'), list('en', '*cunt*')],
      allowed: [list('en', 'scunthorpe')],
    })
    expect(filter.clean('a GM', 'ko')).toEqual({
      text: 'a **',
      hits: [{ start: 2, end: 4, expression: 'gm', language: 'all', rule: 'word' }],
    })
    expect(filter.clean('Scunthorpe', 'en').hits).toEqual([])
  })

  test('sends each list in its own turn of the event loop', async () => {
    const { compiler, sent } = open()
    loop.isWatched = true
    watchLoop()
    const many = ['aa', 'bb', 'cc', 'dd', 'ee'].map((language) => list(language, ...words(900)))
    const filter = await compiler.compile({
      lists: [list('en', ...words(5000)), list('ko'), ...many],
      allowed: [],
    })
    const turns = sent.flatMap(({ message, turn }) => (message.kind === 'compile' ? [turn] : []))
    expect([turns.length, new Set(turns).size]).toEqual([7, 7])
    expect(filter.clean('word4999', 'en')).toEqual({
      text: '********',
      hits: [{ start: 0, end: 8, expression: 'word4999', language: 'en', rule: 'word' }],
    })
  })

  test('compiles only the changed list after an edit', async () => {
    const { compiler, sent } = open()
    const [kept, former, edited] = [list('en', 'one'), list('ko', 'two'), list('ko', 'three')]
    await compiler.compile({ lists: [kept, former], allowed: [] })
    sent.length = 0
    const filter = await compiler.compile({ lists: [kept, edited], allowed: [] })
    expect(sent.map(({ message }) => message)).toEqual([{ kind: 'compile', list: edited }])
    expect(filter.clean('one two three', 'ko').text).toBe('one two *****')
    expect(filter.clean('one two three', 'en').text).toBe('*** two three')
  })
})

describe('a trial', () => {
  const source = (...expressions: string[]) => ({ lists: [list('en', ...expressions)], allowed: [] })
  const spoken = (text: string) => ({ text, language: 'en' })

  test('returns the result of each filter for each of many texts', async () => {
    const { compiler } = open()
    const trial = await compiler.openTrial([source('rude'), source('coarse')])
    const texts = Array.from({ length: 350 }, (_, index) =>
      spoken(index % 7 === 0 ? 'rude' : `fine ${index}`),
    )
    const results = await trial.clean(texts)
    expect(results.map((each) => each.map(({ text }) => text))).toEqual(
      texts.map(({ text }) => [text.replace('rude', '****'), text]),
    )
    expect(results[0]?.[0]?.hits).toEqual([
      { start: 0, end: 4, expression: 'rude', language: 'en', rule: 'word' },
    ])
    trial.close()
  })

  test('does not share a worker with compilations', async () => {
    const { compiler, started } = open('self.onmessage = () => undefined')
    const stuck = compiler.compile(source('rude'))
    const trial = await compiler.openTrial([source('coarse')])
    expect((await trial.clean([spoken('coarse')])).map(([clean]) => clean?.text)).toEqual(['******'])
    trial.close()
    expect(started).toHaveLength(2)
    await compiler.close()
    expect(await errorKindOf(stuck)).toBe('unavailable')
  })

  test('is rejected while four are open', async () => {
    const { compiler } = open()
    const trials = await Promise.all([1, 2, 3, 4].map(() => compiler.openTrial([source('x')])))
    expect(await errorKindOf(compiler.openTrial([source('x')]))).toBe('limit-reached')
    trials[0]?.close()
    expect(await errorKindOf(compiler.openTrial([source('x')]))).toBe('none')
  })

  test('reports its failure and no longer counts as open', async () => {
    const { compiler, failures } = open(...Array(4).fill('process.exit(1)'))
    for (let attempt = 0; attempt < 4; attempt++)
      expect(await errorKindOf(compiler.openTrial([source('x')]))).toBe('unavailable')
    expect(failures).toHaveLength(4)
    expect(await errorKindOf(compiler.openTrial([source('x')]))).toBe('none')
  })
})

describe('a failing worker', () => {
  const source = { lists: [list('en', 'word')], allowed: [] }

  test.each([
    ['throws', 'self.onmessage = () => { throw new Error("broken") }'],
    ['ends', 'self.onmessage = ({ data }) => { if (data.kind === "compile") process.exit(1) }'],
    [
      'refuses',
      'self.onmessage = ({ data }) => { if (data.kind === "compile") postMessage({ kind: "failed", message: "x" }) }',
    ],
    ['does not start', 'import "./nowhere.ts"'],
  ])(
    '%s: the compilation is unavailable, the failure is reported once, and the next one uses a new worker',
    async (_, script) => {
      const { compiler, failures, started } = open(script)
      expect(await errorKindOf(compiler.compile(source))).toBe('unavailable')
      expect(failures).toHaveLength(1)
      const filter = await compiler.compile(source)
      expect(filter.clean('word', 'en').text).toBe('****')
      expect([failures.length, started.length]).toEqual([1, 2])
    },
  )

  test('does not respond: the compilation times out, and the next one uses a new worker', async () => {
    const { compiler, failures, options } = open('self.onmessage = () => undefined')
    options.timeoutMs = 50
    expect(await errorKindOf(compiler.compile(source))).toBe('unavailable')
    expect(failures).toEqual(['The filter worker does not respond.'])
    options.timeoutMs = 60_000
    expect((await compiler.compile(source)).clean('word', 'en').text).toBe('****')
  })

  test('does not respond to a trial: it times out and no longer counts as open', async () => {
    const { compiler, failures, options } = open(...Array(4).fill('self.onmessage = () => undefined'))
    options.timeoutMs = 50
    const trials = [1, 2, 3, 4].map(() => errorKindOf(compiler.openTrial([source])))
    expect(await errorKindOf(compiler.openTrial([source]))).toBe('limit-reached')
    expect(await Promise.all(trials)).toEqual(Array(4).fill('unavailable'))
    expect(failures).toHaveLength(4)
    options.timeoutMs = 60_000
    expect(await errorKindOf(compiler.openTrial([source]))).toBe('none')
  })

  test('is replaced before the next compilation when it fails idle', async () => {
    const { compiler, failures, started } = open()
    await compiler.compile(source)
    const ended = new Promise((resolve) => started[0]?.addEventListener('close', resolve))
    started[0]?.terminate()
    await ended
    expect((await compiler.compile(source)).clean('word', 'en').text).toBe('****')
    expect([failures.length, started.length]).toEqual([1, 2])
  })

  test('a closed compiler rejects pending and new compilations without reporting a failure', async () => {
    const { compiler, failures } = open('self.onmessage = () => undefined')
    const underWay = compiler.compile(source)
    await compiler.close()
    expect(await errorKindOf(underWay)).toBe('unavailable')
    expect(await errorKindOf(compiler.compile(source))).toBe('unavailable')
    expect(failures).toEqual([])
  })
})
