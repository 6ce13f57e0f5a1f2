import { readFileSync } from 'node:fs'
import { drive, startChat } from './chat-sides.ts'
import { type Measurement, residentMb } from './support.ts'

const PLAYERS = 10_000
const MEMBERS = 100
const MEMORY_TARGET_KB = 12
const SEATED_TARGET_S = 20
/** File descriptors that are not players. */
export const OTHER_FILES = 200

/** Memory of seated players who say nothing, and the time until all are seated. */
export async function measureIdlePlayers(restSeconds: number): Promise<Measurement[]> {
  const players = Math.min(PLAYERS, Math.floor((maxFiles() - OTHER_FILES) / MEMBERS) * MEMBERS)
  const channels = players / MEMBERS
  const parley = await startChat(channels, MEMBERS)
  await Bun.sleep(1000)
  const startMb = residentMb(parley.pid)
  const { serverMb, seatedMs } = await drive(parley, {
    dialect: 'parley',
    members: players,
    channels,
    warmSeconds: 0,
    seconds: restSeconds,
    speech: { kind: 'silence' },
  }).finally(parley.stop)
  const kb = ((serverMb - startMb) * 1024) / players
  const count = players.toLocaleString('en')
  const scaled = players < PLAYERS ? ` (not ${PLAYERS.toLocaleString('en')}: too few file descriptors)` : ''
  const what = `${count} players in ${channels} channels${scaled}`
  return [
    {
      what: `${what}: memory per player above startup`,
      parley: `${startMb.toFixed(0)} MB, then ${serverMb.toFixed(0)} MB`,
      baseline: '',
      figure: kb,
      unit: 'KB',
      target: `≤ ${MEMORY_TARGET_KB}`,
      isMet: kb <= MEMORY_TARGET_KB,
    },
    {
      what: `${what}: time until all are seated`,
      parley: `${Math.round(players / (seatedMs / 1000)).toLocaleString('en')} players/s`,
      baseline: '',
      figure: seatedMs / 1000,
      unit: 's',
      target: `≤ ${SEATED_TARGET_S}`,
      isMet: seatedMs <= SEATED_TARGET_S * 1000,
    },
  ]
}

/** The limit of file descriptors, which applies to driver and server separately. */
export function maxFiles(): number {
  const limit = /Max open files\s+(\d+)/.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]
  return limit === undefined ? PLAYERS * 2 : Number(limit)
}
