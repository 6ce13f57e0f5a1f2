import { describe, expect, test } from 'bun:test'
import { readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { messageFixture, NOW } from '../support/message.ts'
import { openMessagesIn } from '../support/message-store.ts'
import { spawnServer } from '../support/process.ts'
import { seededRandom, temporaryFolder, until } from './support.ts'

const DAY_MS = 86_400_000

describe('kill -9 around midnight', () => {
  test('loses no acknowledged message, stores none twice, and leaves files that open', async () => {
    const random = seededRandom('midnight')
    for (let round = 0; round < 4; round++) {
      using folder = temporaryFolder()
      const child = Bun.spawn(
        [process.execPath, 'test/faults/append-messages.ts', folder.path, String(NOW)],
        {
          stdout: 'pipe',
          stderr: 'inherit',
        },
      )
      const days = 2 + random.below(6)
      let output = ''
      for await (const chunk of child.stdout) {
        output += new TextDecoder().decode(chunk)
        const files = readdirSync(path.join(folder.path, 'messages'))
        if (files.filter((file) => /^\d.*\.db$/.test(file)).length >= days) child.kill('SIGKILL')
      }
      await child.exited
      const acknowledged = Number(output.trim().split('\n').at(-1))
      await using opened = await openMessagesIn(folder.path)
      const all = await opened.store.listMessages({ since: 0, before: undefined, limit: 100_000 })
      const seqs = all.map(({ seq }) => seq).reverse()
      expect(seqs).toEqual(Array.from(seqs, (_, index) => index + 1))
      expect(seqs.length).toBeGreaterThanOrEqual(acknowledged)
      expect(await opened.store.countMessages(0, 1e9)).toBe(seqs.length)
      await opened.store.openSequences()
      expect(await opened.store.readSequence(messageFixture(1).shard, 50)).toBeUndefined()
      expect(opened.damaged).toEqual([])
    }
  }, 120_000)
})

describe('retention', () => {
  const readLog = (output: string) =>
    output
      .split('\n')
      .filter((line) => line.includes('message log: '))
      .map((line) => JSON.parse(line))

  test('shows its size as a metric', async () => {
    using folder = temporaryFolder()
    await seed(folder.path, [3], Date.now())
    await using server = await spawnServer(folder.path)
    const readBytes = async () => {
      const page = await (await fetch(new URL('/metrics', server.url))).text()
      return Number(/^parley_message_log_bytes (\d+)$/m.exec(page)?.[1])
    }
    const [file = ''] = dayFiles(folder.path)
    const { size } = statSync(path.join(folder.path, 'messages', file))
    expect(await until(readBytes, (bytes) => bytes > 0)).toBeGreaterThanOrEqual(size)
  }, 60_000)

  test('drops expired days soon after the start and logs them once', async () => {
    using folder = temporaryFolder()
    const now = Date.now()
    await seed(folder.path, [40, 35, 3, 0], now)
    await using server = await spawnServer(folder.path)
    await until(
      async () => dayFiles(folder.path),
      (files) => files.length === 2,
    )
    expect(await server.kill('SIGTERM')).toBe(0)
    expect(readLog(server.output())).toMatchObject([
      { level: 30, days: [dayName(now, 40), dayName(now, 35)], msg: 'message log: dropped expired days' },
    ])
  }, 60_000)

  test.each([
    { today: 1, left: 1, level: 40, msg: /: exceeds PARLEY_MESSAGE_LOG_MB; dropped the oldest days/ },
    {
      today: 12_000,
      left: 0,
      level: 50,
      msg: /: today alone exceeds PARLEY_MESSAGE_LOG_MB; dropped all messages/,
    },
  ])(
    'keeps the log within its size with $today messages today, and logs what was lost',
    async ({ today, left, level, msg }) => {
      using folder = temporaryFolder()
      const now = Date.now()
      await seed(folder.path, [3, 2, 0], now, [12_000, 12_000, today])
      await using server = await spawnServer(folder.path, { PARLEY_MESSAGE_LOG_MB: '1' })
      await until(
        async () => dayFiles(folder.path),
        (files) => files.length === left,
      )
      expect(await server.kill('SIGTERM')).toBe(0)
      const days = [3, 2, 0].slice(0, 3 - left).map((age) => dayName(now, age))
      expect(readLog(server.output())).toMatchObject([{ level, days, msg: expect.stringMatching(msg) }])
    },
    60_000,
  )
})

const dayName = (now: number, age: number) => new Date(now - age * DAY_MS).toISOString().slice(0, 10)

const dayFiles = (folder: string) =>
  readdirSync(path.join(folder, 'messages')).filter((file) => /^\d.*\.db$/.test(file))

/** Writes messages that are so many days old. */
async function seed(folder: string, ages: readonly number[], now: number, counts: readonly number[] = []) {
  await using opened = await openMessagesIn(folder)
  for (const [index, age] of ages.entries()) {
    const at = now - age * DAY_MS
    const batch = Array.from({ length: counts[index] ?? 1 }, (_, seq) => ({
      ...messageFixture(seq + 1, at),
      id: Bun.randomUUIDv7('hex', at),
      text: 'x'.repeat(100),
    }))
    await opened.store.appendMessages(batch)
  }
}
