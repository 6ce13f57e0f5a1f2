/** Parley with argv[2] seated players in one group, half of them in one channel number. */
import { MemorySeats } from '../../src/adapters/memory/roster.ts'
import { readConfig } from '../../src/config.ts'
import { monotonicClock } from '../../src/core/ports/clock.ts'
import { createLogger } from '../../src/log.ts'
import { startServer } from '../../src/server.ts'

const players = Number(process.argv[2] ?? 0)
const roster = new MemorySeats(monotonicClock).join()
const server = await startServer(readConfig({ flags: {}, env: process.env }), {
  log: createLogger('silent'),
  onFailure: (error) => {
    throw error
  },
  ports: { roster },
})
const settings = { isFallback: false, isAutoscaling: true }
const large = await server.app.channels.create(
  { group: 'global', name: 'large' },
  { ...settings, maxMembers: 100_000 },
)
const small = await server.app.channels.create(
  { group: 'global', name: 'small' },
  { ...settings, maxMembers: 50 },
)
for (let i = 0; i < players; i++) {
  const sessionId = `session-${i}`
  const player = { id: `player-${i}`, name: `Player number ${i}` }
  await roster.takeSeat({ channel: i % 2 === 0 ? large : small, player, sessionId })
}
console.log(server.url.href)
