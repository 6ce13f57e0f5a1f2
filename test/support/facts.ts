import { type CallContext, type Idempotency, SYSTEM_CALL } from '../../src/core/context.ts'
import { packExpressions } from '../../src/core/expressions.ts'
import type { Ban, Channel, FilterListKind, NewReport } from '../../src/core/model.ts'
import type { FactStore, NewChannel, ReportQuota, StoredFilterList } from '../../src/core/ports/fact-store.ts'
import { NOW } from './message.ts'

export const DAY = 86_400_000
export const QUOTA = { groups: 3, channels: 4 }
export const REPORT_QUOTA = { reports: 100, since: NOW - DAY }
const FILTER_QUOTA = { languages: 2, expressions: 10 }

export const channel = (name: string, changes: Partial<NewChannel> = {}): NewChannel => ({
  group: 'global',
  name,
  maxMembers: 50,
  isFallback: false,
  isAutoscaling: true,
  createdAt: NOW,
  ...changes,
})

/** The context of a call with an idempotency key. */
export const keyed = (key: string, changes: Partial<Idempotency> = {}): CallContext => ({
  ...SYSTEM_CALL,
  idempotency: { key, fingerprint: 'a', at: NOW, expiresAt: NOW + DAY, ...changes },
})

export const ban = (playerId: string, days = 1, startsAt = NOW) => ({
  playerId,
  startsAt,
  endsAt: startsAt + days * DAY,
})

export const report = (message: string, reporterId = '2'): NewReport => ({
  reported: { id: '1', name: 'Mina' },
  reporter: { id: reporterId, name: 'Joon' },
  message,
  messageId: `id of ${message}`,
  context: [],
  keyword: 'SPAM',
  reason: '',
  createdAt: NOW,
})

export const edit = (
  language: string,
  expressions: string[],
  expectedVersions?: number[],
  kind: FilterListKind = 'forbidden',
) => ({
  list: { kind, language, expressions: packExpressions(expressions) },
  expectedVersions,
  quota: FILTER_QUOTA,
})

async function readPages<T>(read: (after: T | undefined) => Promise<readonly T[]>): Promise<T[]> {
  const items: T[] = []
  for (;;) {
    const page = await read(items.at(-1))
    items.push(...page)
    if (page.length === 0) return items
  }
}

/** Everything that nodes hold in memory, read in pages of one item. */
export async function readState(store: FactStore, at: number) {
  const lists = await readPages<StoredFilterList>((last) =>
    store.listFilterLists({ after: last?.list, limit: 1 }),
  )
  const newest = (kind: FilterListKind) =>
    Math.max(0, ...lists.filter(({ list }) => list.kind === kind).map(({ version }) => version))
  return {
    version: await store.readVersion(),
    channels: await readPages<Channel>((after) => store.listChannels({ after, limit: 1 })),
    bans: await readPages<Ban>((after) => store.listActiveBans({ at, after, limit: 1 })),
    filterLists: lists.map(({ list }) => list),
    filterVersions: { forbidden: newest('forbidden'), allowed: newest('allowed') },
  }
}

export async function fileReport(store: FactStore, filed: NewReport, quota: ReportQuota) {
  return (await store.insertReport(filed, quota, SYSTEM_CALL)).value
}
