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

/** The turns of the loop, as long as someone wants to know them. */
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

/** A compiler whose threads run `scripts` in turn, then the real one; with what it sends and what fails. */
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

const refusalOf = (work: Promise<unknown>) =>
  work.then(
    () => 'none',
    ({ kind }) => kind,
  )

describe('a filter made in a thread', () => {
  test('finds what the lists forbid, and spares what is allowed', async () => {
    const { compiler } = open()
    const filter = await compiler.compile({
      lists: [list('all', 'gm'), list('en', '*cunt*')],
      allowed: [list('en', 'scunthorpe')],
    })
    expect(filter.clean('a GM', 'ko')).toEqual({
      text: 'a **',
      hits: [{ start: 2, end: 4, expression: 'gm', language: 'all' }],
    })
    expect(filter.clean('Scunthorpe', 'en').hits).toEqual([])
  })

  test('of many lists sends each in a turn of the loop of its own', async () => {
    const { compiler, sent } = open()
    loop.isWatched = true
    watchLoop()
    const many = ['aa', 'bb', 'cc', 'dd', 'ee'].map((language) => list(language, ...words(900)))
    const filter = await compiler.compile({
      lists: [list('en', ...words(5000)), list('ko'), ...many],
      allowed: [],
    })
    const turns = sent.flatMap(({ message, turn }) => (message.kind === 'list' ? [turn] : []))
    expect([turns.length, new Set(turns).size]).toEqual([7, 7])
    expect(filter.clean('word4999', 'en')).toEqual({
      text: '********',
      hits: [{ start: 0, end: 8, expression: 'word4999', language: 'en' }],
    })
  })

  test('after an edit only the list that has changed is sent, and the former one forgotten', async () => {
    const { compiler, sent } = open()
    const [kept, former, edited] = [list('en', 'one'), list('ko', 'two'), list('ko', 'three')]
    await compiler.compile({ lists: [kept, former], allowed: [kept] })
    sent.length = 0
    const filter = await compiler.compile({ lists: [kept, edited], allowed: [] })
    expect(sent.map(({ message }) => message)).toEqual([
      { kind: 'forget', number: 2 },
      { kind: 'list', number: 3, language: 'ko', expressions: packExpressions(['three']) },
      { kind: 'compile', source: { lists: [1, 3], allowed: [] } },
    ])
    expect(filter.clean('one two three', 'ko').text).toBe('one two *****')
  })
})

describe('a trial', () => {
  const source = (...expressions: string[]) => ({ lists: [list('en', ...expressions)], allowed: [] })
  const spoken = (text: string) => ({ text, language: 'en' })

  test('tells what each filter makes of each text, however many', async () => {
    const { compiler } = open()
    const trial = await compiler.openTrial([source('rude'), source('coarse')])
    const texts = Array.from({ length: 350 }, (_, index) =>
      spoken(index % 7 === 0 ? 'rude' : `fine ${index}`),
    )
    const results = await trial.clean(texts)
    expect(results.map((each) => each.map(({ text }) => text))).toEqual(
      texts.map(({ text }) => [text.replace('rude', '****'), text]),
    )
    expect(results[0]?.[0]?.hits).toEqual([{ start: 0, end: 4, expression: 'rude', language: 'en' }])
    trial.close()
  })

  test('neither waits for the thread of the filters in force nor disturbs it', async () => {
    const { compiler, started } = open('self.onmessage = () => undefined')
    const stuck = compiler.compile(source('rude'))
    const trial = await compiler.openTrial([source('coarse')])
    expect((await trial.clean([spoken('coarse')])).map(([clean]) => clean?.text)).toEqual(['******'])
    trial.close()
    expect(started).toHaveLength(2)
    await compiler.close()
    expect(await refusalOf(stuck)).toBe('unavailable')
  })

  test('is refused when four are open, until one is closed', async () => {
    const { compiler } = open()
    const trials = await Promise.all([1, 2, 3, 4].map(() => compiler.openTrial([source('x')])))
    expect(await refusalOf(compiler.openTrial([source('x')]))).toBe('limit-reached')
    trials[0]?.close()
    expect(await refusalOf(compiler.openTrial([source('x')]))).toBe('none')
  })

  test('that fails is told, and takes no place any more', async () => {
    const { compiler, failures } = open(...Array(4).fill('process.exit(1)'))
    for (let attempt = 0; attempt < 4; attempt++)
      expect(await refusalOf(compiler.openTrial([source('x')]))).toBe('unavailable')
    expect(failures).toHaveLength(4)
    expect(await refusalOf(compiler.openTrial([source('x')]))).toBe('none')
  })
})

describe('a thread that fails', () => {
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
    '%s: the compilation is unavailable, the failure told once, and the next one has a new thread',
    async (_, script) => {
      const { compiler, failures, started } = open(script)
      expect(await refusalOf(compiler.compile(source))).toBe('unavailable')
      expect(failures).toHaveLength(1)
      const filter = await compiler.compile(source)
      expect(filter.clean('word', 'en').text).toBe('****')
      expect([failures.length, started.length]).toEqual([1, 2])
    },
  )

  test('does not answer: the compilation is unavailable in time, and the next one has a new thread', async () => {
    const { compiler, failures, options } = open('self.onmessage = () => undefined')
    options.timeoutMs = 50
    expect(await refusalOf(compiler.compile(source))).toBe('unavailable')
    expect(failures).toEqual(['The thread that makes filters does not answer.'])
    options.timeoutMs = 60_000
    expect((await compiler.compile(source)).clean('word', 'en').text).toBe('****')
  })

  test('does not answer a trial: it is unavailable in time, and takes no place any more', async () => {
    const { compiler, failures, options } = open(...Array(4).fill('self.onmessage = () => undefined'))
    options.timeoutMs = 50
    const trials = [1, 2, 3, 4].map(() => refusalOf(compiler.openTrial([source])))
    expect(await refusalOf(compiler.openTrial([source]))).toBe('limit-reached')
    expect(await Promise.all(trials)).toEqual(Array(4).fill('unavailable'))
    expect(failures).toHaveLength(4)
    options.timeoutMs = 60_000
    expect(await refusalOf(compiler.openTrial([source]))).toBe('none')
  })

  test('while nothing is asked of it is replaced before the next compilation', async () => {
    const { compiler, failures, started } = open()
    await compiler.compile(source)
    const ended = new Promise((resolve) => started[0]?.addEventListener('close', resolve))
    started[0]?.terminate()
    await ended
    expect((await compiler.compile(source)).clean('word', 'en').text).toBe('****')
    expect([failures.length, started.length]).toEqual([1, 2])
  })

  test('a closed compiler gives up what is under way and refuses what comes, without a failure', async () => {
    const { compiler, failures } = open('self.onmessage = () => undefined')
    const underWay = compiler.compile(source)
    await compiler.close()
    expect(await refusalOf(underWay)).toBe('unavailable')
    expect(await refusalOf(compiler.compile(source))).toBe('unavailable')
    expect(failures).toEqual([])
  })
})
