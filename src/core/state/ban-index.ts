import type { Ban, Timestamp } from '../model.ts'
import { TimeSlice } from '../time-slice.ts'
import { PartitionedMap } from './partitioned-map.ts'
import { sortInSlices } from './sliced-sort.ts'
import { SortedList } from './sorted-list.ts'

/** Bans loaded between two looks at the clock. */
const CHECKED_EVERY = 64

/** Active bans, in the order in which they were applied and in the order in which they end. */
export class BanIndex {
  readonly #byPlayer = new PartitionedMap<Ban>()
  readonly #bySeq = new SortedList<Pick<Ban, 'seq'>, Ban>((a, b) => a.seq - b.seq)
  readonly #byEnd = new SortedList<Pick<Ban, 'endsAt' | 'seq'>, Ban>(
    (a, b) => a.endsAt - b.endsAt || a.seq - b.seq,
  )
  #listed: { readonly bans: readonly Ban[]; readonly until: Timestamp } | undefined

  /** Builds an index in slices. The pages are in the order in which the bans end. */
  static async load(pages: AsyncIterable<readonly Ban[]>): Promise<BanIndex> {
    const index = new BanIndex()
    const bans: Ban[] = []
    const slice = new TimeSlice()
    for await (const page of pages) {
      for (const ban of page) {
        index.#byPlayer.set(ban.playerId, ban)
        if (bans.push(ban) % CHECKED_EVERY === 0 && slice.isOver) await slice.renew()
      }
    }
    const current = index.size === bans.length ? bans : await index.#withoutReplaced(bans)
    index.#byEnd.load(current)
    const bySeq = await sortInSlices(current, (a, b) => a.seq - b.seq)
    await slice.renew()
    index.#bySeq.load(bySeq)
    return index
  }

  /** Number of bans in memory, including expired ones not yet evicted. */
  get size(): number {
    return this.#byPlayer.size
  }

  find(playerId: string, at: Timestamp): Ban | undefined {
    const ban = this.#byPlayer.get(playerId)
    return ban !== undefined && ban.endsAt > at ? ban : undefined
  }

  /** Every active ban, newest first. Returns the same array until one of them changes or ends. */
  list(at: Timestamp): readonly Ban[] {
    if (this.#listed === undefined || this.#listed.until <= at) {
      const bans = this.#bySeq.toArray().reverse()
      const hasExpired = (this.#byEnd.first()?.endsAt ?? at) <= at
      const active = hasExpired ? bans.filter(({ endsAt }) => endsAt > at) : bans
      this.#listed = { bans: active, until: this.#nextEnd(at) }
    }
    return this.#listed.bans
  }

  /** Every active ban as it is now, newest first, in slices. Unlike `list`, it takes no time up front, however many. */
  slices(at: Timestamp): Generator<readonly Ban[], void> {
    return newestFirst(this.#bySeq.snapshot(), at)
  }

  /** At most `limit` active bans that were applied before the ban `before`, newest first. */
  page(at: Timestamp, { before, limit }: { before: number | undefined; limit: number }): Ban[] {
    return this.#newest(at, before).take(limit).toArray()
  }

  /** The ban's `seq` must be higher than that of every other ban. */
  set(ban: Ban): void {
    this.#remove(this.#byPlayer.get(ban.playerId))
    this.#byPlayer.set(ban.playerId, ban)
    this.#bySeq.set(ban)
    this.#byEnd.set(ban)
    this.#listed = undefined
  }

  delete(playerId: string): void {
    if (this.#remove(this.#byPlayer.get(playerId))) this.#listed = undefined
  }

  /** Evicts at most `limit` expired bans. Returns whether there may be more. */
  evict(at: Timestamp, limit: number): boolean {
    for (let evicted = 0; evicted < limit; evicted++) {
      const first = this.#byEnd.first()
      if (first === undefined || first.endsAt > at) return false
      this.#remove(first)
    }
    return true
  }

  /** A ban can be replaced between two pages. The later page has the newer ban. */
  async #withoutReplaced(bans: readonly Ban[]): Promise<Ban[]> {
    const current: Ban[] = []
    const slice = new TimeSlice()
    for (const [position, ban] of bans.entries()) {
      if (this.#byPlayer.get(ban.playerId) === ban) current.push(ban)
      if (position % CHECKED_EVERY === 0 && slice.isOver) await slice.renew()
    }
    return current
  }

  *#newest(at: Timestamp, before: number | undefined): Generator<Ban> {
    const bans = this.#bySeq.descendingBefore(before === undefined ? undefined : { seq: before })
    for (const ban of bans) if (ban.endsAt > at) yield ban
  }

  #nextEnd(at: Timestamp): Timestamp {
    const [next] = this.#byEnd.ascendingFrom({ endsAt: at + 1, seq: 0 })
    return next?.endsAt ?? Number.POSITIVE_INFINITY
  }

  #remove(ban: Ban | undefined): boolean {
    if (ban === undefined) return false
    if (this.#byPlayer.get(ban.playerId) === ban) this.#byPlayer.delete(ban.playerId)
    this.#bySeq.delete(ban)
    this.#byEnd.delete(ban)
    return true
  }
}

function* newestFirst(blocks: readonly (readonly Ban[])[], at: Timestamp): Generator<readonly Ban[], void> {
  for (let position = blocks.length - 1; position >= 0; position--)
    yield blocks[position]?.filter(({ endsAt }) => endsAt > at).reverse() ?? []
}
