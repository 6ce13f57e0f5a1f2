import type { Change } from '../events.ts'
import { BanIndex } from './ban-index.ts'
import { ChannelIndex } from './channel-index.ts'
import { FilterIndex } from './filter-index.ts'

/** Channels, active bans and filter lists as of `version`. */
export class StateTables {
  version: number
  readonly channels: ChannelIndex
  readonly bans: BanIndex
  readonly filters = { forbidden: new FilterIndex(), allowed: new FilterIndex() }

  constructor(version = 0, channels = new ChannelIndex(), bans = new BanIndex()) {
    this.version = version
    this.channels = channels
    this.bans = bans
  }

  apply(change: Change): void {
    switch (change.kind) {
      case 'channel-set':
        this.channels.set(change.channel)
        break
      case 'channel-deleted':
        this.channels.delete(change.key)
        break
      case 'ban-set':
        this.bans.set(change.ban)
        break
      case 'ban-lifted':
        this.bans.delete(change.playerId)
        break
      case 'filter-list-set':
        this.filters[change.list.kind].set(change.list, change.version)
        break
    }
    this.version = change.version
  }
}
