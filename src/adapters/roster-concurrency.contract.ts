import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { channel, type RosterHarness } from './roster-harness.contract.ts'

export function testConcurrentSeats(name: string, createHarness: () => Promise<RosterHarness>): void {
  test(`${name} never exceeds max_count and fills the lowest numbers under concurrent joins and leaves`, async () => {
    const harness = await createHarness()
    const open = () => harness.open(() => 1_800_000_000_000)
    const nodes = [await open(), await open(), await open()] as const
    const act = fc.record({
      player: fc.integer({ min: 0, max: 11 }),
      node: fc.integer({ min: 0, max: 2 }),
      kind: fc.constantFrom('sit', 'sit', 'sit', 'leave', 'wish'),
      number: fc.integer({ min: 1, max: 4 }),
    })
    const run = async (
      rounds: { player: number; node: number; kind: string; number: number }[][],
      max: number,
    ) => {
      const busy = channel({ maxMembers: max, name: `c${max}` })
      for (const round of rounds) {
        await Promise.all(
          round.map(({ player, node, kind, number }) => {
            const sessionId = `s${player}-${node}`
            const holder = { player: { id: `p${player}`, name: 'x' }, sessionId }
            if (kind === 'leave') return nodes[node]!.leaveSeat({ ...busy, number }, holder)
            const wish = kind === 'wish' ? { number } : {}
            return nodes[node]!.takeSeat({ channel: busy, ...holder, ...wish })
          }),
        )
        const shards = await nodes[0].listShards([busy], { from: 1, limit: 1000 })
        const seated = shards.flatMap((each) => each.members.map(({ id }) => id))
        expect(shards.every((each) => each.members.length <= max)).toBe(true)
        expect(new Set(seated).size).toBe(seated.length)
      }
      await nodes[0].removeChannel(busy)
    }
    const seed = Number(process.env['TEST_SEED'] ?? Date.now() % 2 ** 31)
    process.stderr.write(`roster property: TEST_SEED=${seed}\n`)
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(act, { maxLength: 15 }), { maxLength: 6 }),
        fc.integer({ min: 1, max: 4 }),
        run,
      ),
      { seed, numRuns: 1000 },
    )
    for (const node of nodes) await node.close()
    await harness.remove()
  })
}
