import { compareChats } from './chat-sides.ts'
import type { Measurement } from './support.ts'

const MEMBERS = 100
const MESSAGES_PER_SECOND = 400
const ECHO_TARGET = 0.7
const SOCKET_IO_TARGET = 0.35

/** CPU time of the server per delivery in a busy channel. */
export async function measureFanOut(seconds: number, rounds: number): Promise<Measurement[]> {
  const found = await compareChats(
    rounds,
    { members: MEMBERS, warmSeconds: 1, seconds, speech: { kind: 'rate', perSecond: MESSAGES_PER_SECOND } },
    ({ serverCpuMs, deliveries }) => (serverCpuMs * 1000) / deliveries,
  )
  const against = (name: string, baseline: number, target: number): Measurement => ({
    what: `CPU time per delivery, ${MEMBERS} members, ${MESSAGES_PER_SECOND} messages/s, against ${name}`,
    parley: micros(found.parley),
    baseline: `${name}: ${micros(baseline)}`,
    figure: found.parley / baseline,
    unit: '× the baseline',
    target: `≤ ${target}`,
    isMet: found.parley <= target * baseline,
  })
  return [
    against('bare Bun.serve', found.topicEcho, ECHO_TARGET),
    against('Socket.IO', found.socketIo, SOCKET_IO_TARGET),
  ]
}

const micros = (value: number) => `${value.toFixed(2)} µs`
