import { afterEach, beforeEach, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { PLAYER_SECRET, TestPlayer } from './support/player.ts'
import { ROOT, type ServerProcess, spawnServer } from './support/process.ts'
import { makeFolder, TOKEN } from './support/server.ts'

const TIMEOUT_MS = 60_000

let folder: string
beforeEach(() => {
  folder = makeFolder()
})
afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

/** `npm run chat` with piped input and output. */
class TerminalPlayer implements AsyncDisposable {
  readonly #child: Bun.Subprocess<'pipe', 'pipe', 'pipe'>
  #output = ''
  #changed = Promise.withResolvers<void>()

  constructor(port: string, name: string, env: Record<string, string> = {}) {
    const { PATH = '', HOME = '' } = process.env
    this.#child = Bun.spawn([process.execPath, 'scripts/chat.ts', '--name', name], {
      cwd: ROOT,
      env: { PATH, HOME, PARLEY_PORT: port, PARLEY_MASTER_TOKEN: TOKEN, PARLEY_DATA_DIR: folder, ...env },
      stdin: 'pipe',
      stdout: 'pipe',
      stderr: 'pipe',
    })
    void this.#read(this.#child.stdout)
    void this.#read(this.#child.stderr)
  }

  get lines(): readonly string[] {
    return this.#output.split('\n')
  }

  get exited(): Promise<number> {
    return this.#child.exited
  }

  type(line: string): void {
    this.#child.stdin.write(`${line}\n`)
    void this.#child.stdin.flush()
  }

  /** Resolves to the first line of output that matches. */
  async until(pattern: RegExp): Promise<string> {
    for (;;) {
      const found = this.lines.find((line) => pattern.test(line))
      if (found !== undefined) return found
      await this.#changed.promise
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill('SIGKILL')
    await this.#child.exited
  }

  async #read(stream: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder()
    for await (const chunk of stream) {
      this.#output += decoder.decode(chunk, { stream: true })
      const { resolve } = this.#changed
      this.#changed = Promise.withResolvers()
      resolve()
    }
  }
}

const portOf = ({ url }: ServerProcess) => new URL(url).port

test(
  'reconnects after the server was down, at startup and later',
  async () => {
    const first = await spawnServer(folder)
    const port = portOf(first)
    await first.kill('SIGTERM')
    await using mina = new TerminalPlayer(port, 'Mina')
    await mina.until(
      /^! No server is running at .* run "npm start" in another terminal\. Retrying in \d+ seconds?\.$/,
    )
    const second = await spawnServer(folder, { PARLEY_PORT: port })
    await mina.until(/^\* You are Mina in global\/server-1 #1, alone$/)
    await second.kill('SIGKILL')
    await mina.until(/^! Disconnected\. Retrying/)
    await using third = await spawnServer(folder, { PARLEY_PORT: port })
    await mina.until(/^\* Back in global\/server-1 #1$/)
    await using joon = new TerminalPlayer(port, 'Joon')
    await joon.until(/^\* You are Joon in global\/server-1 #1, with 1 other player$/)
    await mina.until(/^\* Joon joined$/)
    joon.type('hello again')
    await mina.until(/^Joon: hello again$/)
    joon.type('/quit')
    await mina.until(/^\* Joon left$/)
    expect(await joon.exited).toBe(0)
    expect(await third.kill('SIGTERM')).toBe(0)
  },
  TIMEOUT_MS,
)

test(
  'runs commands without sending them to other players',
  async () => {
    await using s = await spawnServer(folder)
    await using mina = new TerminalPlayer(portOf(s), 'Mina')
    await mina.until(/^\* You are Mina/)
    await using joon = new TerminalPlayer(portOf(s), 'Joon')
    await joon.until(/^\* You are Joon/)
    await s.call('PUT', '/open_channels', { body: { channel_group: 'arena', channel_name: 'one' } })
    joon.type('/help')
    for (const command of ['who', 'join', 'leave', 'report', 'quit'])
      await joon.until(new RegExp(`^ {2}/${command}`))
    joon.type('/nonsense aloud')
    await joon.until(/^! Unknown command \/nonsense\. \/help lists the commands\.$/)
    joon.type('/who')
    await joon.until(/^\* Here: Joon, Mina$/)
    joon.type('/join nowhere')
    await joon.until(/^! .*\(CHANNEL_NOT_FOUND\)$/)
    joon.type('/join arena/one')
    await joon.until(/^\* You are Joon in arena\/one #1, alone$/)
    await mina.until(/^\* Joon left$/)
    mina.type('/who')
    await mina.until(/^\* Here: Mina$/)
    joon.type('/leave')
    await joon.until(/^\* You left$/)
    joon.type('to nobody')
    await joon.until(/^! You are not in a channel: \/join GROUP$/)
    joon.type('/join global')
    await joon.until(/^\* You are Joon in global\/server-1 #1, with 1 other player$/)
    joon.type('the only thing said')
    await mina.until(/^Joon: the only thing said$/)
    expect(mina.lines.filter((line) => line.startsWith('Joon:'))).toEqual(['Joon: the only thing said'])
  },
  TIMEOUT_MS,
)

test(
  'reports messages of others, including earlier ones, and shows bans and system messages',
  async () => {
    await using s = await spawnServer(folder)
    await using mina = new TerminalPlayer(portOf(s), 'Mina')
    await mina.until(/^\* You are Mina/)
    mina.type('/report')
    await mina.until(/^! No such message from another player$/)
    mina.type('first')
    await mina.until(/^Mina: first$/)
    mina.type('second')
    await mina.until(/^Mina: second$/)
    const channel = { channel_type: 1, channel_group: 'global', channel_name: 'server-1' }
    await s.call('POST', '/system_message', { body: { ...channel, message: 'Maintenance at noon' } })
    await mina.until(/^\* Maintenance at noon$/)
    await using joon = new TerminalPlayer(portOf(s), 'Joon')
    await joon.until(/^\* You are Joon/)
    expect(joon.lines.slice(-5, -1)).toEqual([
      'Mina: first',
      'Mina: second',
      '* Maintenance at noon',
      '* You are Joon in global/server-1 #1, with 1 other player',
    ])
    joon.type('my own words')
    await mina.until(/^Joon: my own words$/)
    joon.type('/report')
    await joon.until(/^\* Reported "second" by Mina, report \d+$/)
    joon.type('/report 2 spam')
    await joon.until(/^\* Reported "first" by Mina, report \d+$/)
    const reports = (await s.call('GET', '/report_list')).json
    expect(reports.slice(0, 2)).toMatchObject([
      { message: 'first', keyword: 'SPAM', from_gamer_id: 'joon' },
      { message: 'second', keyword: 'ETC', to_gamer_id: 'mina' },
    ])

    await s.call('PUT', '/block_user_chat', { body: { gamer_id: 'mina', days: 3 } })
    await mina.until(/^! You are banned for 3 days\. You can read messages but not send any\.$/)
    mina.type('heard by nobody')
    await mina.until(/^! You are banned for 3 days\.$/)
    mina.type('/quit')
    await mina.exited
    await using again = new TerminalPlayer(portOf(s), 'Mina')
    await again.until(/^\* You are Mina/)
    await again.until(/^! You are banned for 3 days\./)
    await s.call('DELETE', '/block_user_chat', { body: { gamer_id: 'mina' } })
    await again.until(/^! Your ban has ended\./)
    expect(joon.lines.some((line) => line.includes('heard by nobody'))).toBe(false)
  },
  TIMEOUT_MS,
)

test(
  'exits with a clear message when the master token is wrong',
  async () => {
    await using s = await spawnServer(folder)
    await using mina = new TerminalPlayer(portOf(s), 'Mina', {
      PARLEY_MASTER_TOKEN: 'another-token-of-40-characters-xxxxxxxxx',
    })
    expect(await mina.exited).toBe(1)
    await mina.until(/rejects the master token/)
    expect(mina.lines.join('\n')).not.toContain('another-token')
  },
  TIMEOUT_MS,
)

test(
  'does not report a deleted message',
  async () => {
    await using s = await spawnServer(folder, { PARLEY_PLAYER_SECRET: PLAYER_SECRET })
    await using joon = new TerminalPlayer(portOf(s), 'Joon')
    await joon.until(/^\* You are Joon/)
    using mina = await TestPlayer.connect(s.url, 'mina', { name: 'Mina' })
    await mina.join('global')
    await mina.say('global', 'stays')
    const { message_id } = await mina.say('global', 'goes')
    await joon.until(/^Mina: goes$/)
    await s.call('DELETE', `/messages/${message_id}`)
    await joon.until(/^\* Deleted: Mina: goes$/)
    joon.type('/report')
    await joon.until(/^\* Reported "stays" by Mina, report 1$/)
  },
  TIMEOUT_MS,
)

test(
  'works with a separate management port',
  async () => {
    await using s = await spawnServer(folder, { PARLEY_ADMIN_PORT: '0' })
    const admin = /on (http:\/\/\S+) for management/.exec(s.output())?.[1] ?? ''
    await using mina = new TerminalPlayer(portOf(s), 'Mina', { PARLEY_ADMIN_PORT: new URL(admin).port })
    await mina.until(/^\* You are Mina in global\/server-1 #1, alone$/)
  },
  TIMEOUT_MS,
)

test.each([
  ['--help', 0, 'stdout'],
  ['--nam', 1, 'stderr'],
] as const)(
  'explains its flags on %s, without a stack trace',
  async (flag, code, stream) => {
    const child = Bun.spawn(
      [process.execPath, 'scripts/chat.ts', flag, 'X'].slice(0, flag === '--help' ? 3 : 4),
      {
        cwd: ROOT,
        stdout: 'pipe',
        stderr: 'pipe',
      },
    )
    const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()])
    expect(await child.exited).toBe(code)
    const text = { stdout, stderr }[stream]
    expect(text).toContain('--channel')
    expect(text).not.toContain('at parseArgs')
  },
  TIMEOUT_MS,
)
