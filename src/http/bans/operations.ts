import type { App } from '../../core/app.ts'
import { NO_INPUT } from '../input-fields.ts'
import { type Operation, type OperationDependencies, operation } from '../operation.ts'
import { startOf } from '../paging.ts'
import { renderFirst, renderSlices } from '../render.ts'
import { createBanInputs, restrictedUser } from './schemas.ts'
import { banList } from './wire.ts'

/** A longer list is streamed: as one body it would block the event loop when it is sent, and fill the memory. */
const MAX_CACHED = 10_000

const renderAll = ({ bans }: App, { cache, turns }: OperationDependencies) =>
  bans.size > MAX_CACHED
    ? renderSlices(banList, bans.slices(), { turns })
    : cache.render(banList, bans.list(), undefined)

export function banOperations(dependencies: OperationDependencies): readonly Operation[] {
  const inputs = createBanInputs(dependencies.limits)
  return [
    operation({
      id: 'listRestrictedUsers',
      method: 'GET',
      path: '/block_user_list',
      tag: 'Bans',
      summary: 'List restricted users',
      description: 'Lists the active chat bans, newest first.',
      role: 'viewer',
      input: NO_INPUT,
      output: { schema: restrictedUser, isList: true },
      errors: [],
      example: {
        input: {},
        output: [
          {
            gamer_id: '1234',
            count: 1,
            start_time: '2026-11-15T03:00:00Z',
            end_time: '2026-11-18T03:00:00Z',
          },
        ],
      },
      handle: ({ app, page }) => {
        if (page === undefined) return renderAll(app, dependencies)
        const [before] = startOf(banList, page) ?? []
        const bans = app.bans.page({
          before: before === undefined ? undefined : Number(before),
          limit: page.limit + 1,
        })
        return renderFirst(banList, bans, page.limit)
      },
    }),
    operation({
      id: 'applyChatBan',
      method: 'PUT',
      path: '/block_user_chat',
      tag: 'Bans',
      summary: 'Apply chat ban',
      description:
        'Bans a player from sending messages for a number of days, even if the server has never seen the player. The ban is ' +
        'active on every node before the response is sent. It replaces an earlier ban and increments `count`, so retry with ' +
        'an `Idempotency-Key`. A banned player can still read.',
      role: 'moderator',
      input: inputs.ban,
      output: { schema: inputs.ban, isList: false },
      errors: [],
      example: { input: { gamer_id: '1234', days: 3 }, output: { gamer_id: '1234', days: 3 } },
      handle: async ({ app, input, context }) => {
        await app.bans.apply(input.gamer_id, input.days, context)
        return { value: input }
      },
    }),
    operation({
      id: 'liftChatBan',
      method: 'DELETE',
      path: '/block_user_chat',
      tag: 'Bans',
      summary: 'Lift chat ban',
      description: 'Lifts the ban of a player. Also succeeds if there is none.',
      role: 'moderator',
      input: inputs.player,
      output: { schema: inputs.player, isList: false },
      errors: [],
      example: { input: { gamer_id: '1234' }, output: { gamer_id: '1234' } },
      handle: async ({ app, input, context }) => {
        await app.bans.lift(input.gamer_id, context)
        return { value: input }
      },
    }),
  ]
}
