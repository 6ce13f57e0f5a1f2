import { afterAll, beforeAll } from 'bun:test'
import { readFileSync } from 'node:fs'
import { PLAYER_SECRET, type signToken, TestPlayer } from '../support/player.ts'
import { type ServerProcess, spawnServer } from '../support/process.ts'
import { type ApiResponse, startTestServer, type TestServer } from '../support/server.ts'

export const times = <T>(count: number, make: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)))

export const spawnGateway = (folder: string, env: Record<string, string> = {}) =>
  spawnServer(folder, {
    PARLEY_PLAYER_SECRET: PLAYER_SECRET,
    PARLEY_FLOOD_LIMIT: 'off',
    PARLEY_CONNECTIONS_PER_SECOND: '100000',
    PARLEY_CONNECTIONS_PER_ADDRESS: '0',
    PARLEY_PENDING_PER_ADDRESS: '0',
    ...env,
  })

export const residentBytes = (pid: number) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024

/** The sum of a metric over its labels. */
export async function readMetric(server: ServerProcess, name: string): Promise<number> {
  const text = await (await fetch(new URL('/metrics', server.url))).text()
  const lines = text.split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
  return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0)
}

/** Throws unless the channel was created. */
export async function createChannel(
  server: Pick<TestServer, 'call'>,
  group: string,
  name: string,
  settings: object = {},
): Promise<ApiResponse> {
  const body = { channel_group: group, channel_name: name, ...settings }
  const response = await server.call('PUT', '/open_channels', { body })
  if (response.status !== 200) throw new Error(`${response.status}: ${response.text}`)
  return response
}

type Claims = Parameters<typeof signToken>[1]

interface SharedServerOptions {
  readonly env?: Record<string, string>
  readonly ports?: Parameters<typeof startTestServer>[1]
  /** Token claims of every player. */
  readonly claims?: () => Claims
}

/**
 * Starts one server for all tests of a file, without flood control unless `env` enables it. Each test works in a channel
 * group of its own: the one last created.
 */
export function shareServer({ env = {}, ports, claims = () => ({}) }: SharedServerOptions = {}) {
  let server: TestServer
  let groups = 0
  let group = ''
  beforeAll(async () => {
    const defaults = { PARLEY_PLAYER_SECRET: PLAYER_SECRET, PARLEY_FLOOD_LIMIT: 'off' }
    server = await startTestServer({ ...defaults, ...env }, ports)
  })
  afterAll(() => server[Symbol.asyncDispose]())

  const createGroup = async (
    ...channels: { readonly name: string; readonly [setting: string]: unknown }[]
  ) => {
    group = `group-${++groups}`
    for (const { name, ...settings } of channels) await createChannel(server, group, name, settings)
    return group
  }
  /** The player's id starts with the group, so that tests do not share players. */
  const connect = (id: string, extraClaims: Claims = {}) =>
    TestPlayer.connect(server.url, `${group}-${id}`, { ...claims(), ...extraClaims })
  return {
    get group() {
      return group
    },
    get url() {
      return server.url
    },
    get app() {
      return server.server.app
    },
    call: (...request: Parameters<TestServer['call']>) => server.call(...request),
    createGroup,
    connect,
    /** Creates a group with a channel `a` and joins these players to it, in order. */
    async joinPlayers<const Ids extends readonly string[]>(
      ids: Ids,
      settings: object = {},
    ): Promise<{ [Index in keyof Ids]: TestPlayer }> {
      await createGroup({ name: 'a', ...settings })
      const players: TestPlayer[] = []
      for (const id of ids) {
        const player = await connect(id)
        await player.join(group, 'a')
        players.push(player)
      }
      return players as { [Index in keyof Ids]: TestPlayer }
    },
  }
}

/** Bytes in the kernel's send queues from the server to these clients. */
export function kernelQueue(url: string, clientPorts: readonly number[]): number {
  const ports = new Set(clientPorts)
  const own = Number(new URL(url).port)
  const lines = readFileSync('/proc/net/tcp', 'utf8').matchAll(
    / 0100007F:(\w{4}) 0100007F:(\w{4}) \w\w (\w{8}):/g,
  )
  return lines
    .map((line) => line.slice(1).map((hex) => Number.parseInt(hex, 16)))
    .filter(([local, remote]) => local === own && ports.has(remote!))
    .reduce((sum, [, , queued]) => sum + queued!, 0)
}
