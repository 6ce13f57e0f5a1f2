import { compareChats } from './chat-sides.ts'
import type { Measurement } from './support.ts'

const MEMBERS = 1000
const IN_FLIGHT = 16
const ECHO_TARGET = 0.6
const SOCKET_IO_TARGET = 5

/** Deliveries per second with concurrent senders, each of which sends again once it receives its own message. */
export async function measureBurst(seconds: number, rounds: number): Promise<Measurement[]> {
  const found = await compareChats(
    rounds,
    { members: MEMBERS, warmSeconds: 1, seconds, speech: { kind: 'burst', speakers: IN_FLIGHT } },
    ({ perSecond }) => perSecond,
  )
  const against = (name: string, baseline: number, target: number): Measurement => ({
    what: `Deliveries, ${MEMBERS.toLocaleString('en')} members, ${IN_FLIGHT} messages in flight, against ${name}`,
    parley: deliveries(found.parley),
    baseline: `${name}: ${deliveries(baseline)}`,
    figure: found.parley / baseline,
    unit: '× the baseline',
    target: `≥ ${target}`,
    isMet: found.parley >= target * baseline,
  })
  return [
    against('bare Bun.serve', found.topicEcho, ECHO_TARGET),
    against('Socket.IO', found.socketIo, SOCKET_IO_TARGET),
  ]
}

const deliveries = (value: number) => `${Math.round(value).toLocaleString('en')}/s`
