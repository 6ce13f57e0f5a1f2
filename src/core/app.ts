import { Backtests } from './backtests.ts'
import { Bans } from './bans.ts'
import { type ChannelRules, Channels } from './channels.ts'
import { Chat, type ChatRules } from './chat.ts'
import type { Change, ChatEvent, Topic } from './events.ts'
import { type FilterRules, Filters } from './filters.ts'
import { FloodControl, type FloodRules } from './flood.ts'
import { MessageLog, type MessageLogRules } from './message-log.ts'
import type { Bus } from './ports/bus.ts'
import type { Clock } from './ports/clock.ts'
import type { FactStore } from './ports/fact-store.ts'
import type { FilterCompiler } from './ports/filter-compiler.ts'
import type { MessageStore } from './ports/message-store.ts'
import type { PlayerTokenIssuer } from './ports/player-tokens.ts'
import { LEASE_MS, type Roster } from './ports/roster.ts'
import { type ReportRules, Reports } from './reports.ts'
import { ActiveFilter } from './state/active-filter.ts'
import { Journal } from './state/journal.ts'
import { State, type StateWatcher } from './state/state.ts'

export interface Ports {
  readonly factStore: FactStore
  readonly messageStore: MessageStore
  readonly bus: Bus
  readonly roster: Roster
  readonly clock: Clock
  readonly monotonicClock: Clock
  readonly compiler: FilterCompiler
  readonly tokens: PlayerTokenIssuer
  /** How long to wait for a missing change before reloading the snapshot. */
  readonly gapMs?: number
  /** Called for failures of background work, which no caller awaits. */
  readonly onBackgroundError: (error: unknown) => void
}

export interface Rules {
  readonly channels: ChannelRules
  readonly filters: FilterRules
  readonly chat: ChatRules
  readonly reports: ReportRules
  /** Undefined disables flood control. */
  readonly flood: FloodRules | undefined
  readonly messageLog: MessageLogRules
}

const EVICTION_MS = 1000

/** The services shared by all transports. */
export class App {
  readonly channels: Channels
  readonly bans: Bans
  readonly filters: Filters
  readonly messages: MessageLog
  readonly backtests: Backtests
  readonly reports: Reports
  readonly flood: FloodControl
  readonly chat: Chat
  readonly tokens: PlayerTokenIssuer
  readonly #ports: Ports
  readonly #journal: Journal
  readonly #activeFilter: ActiveFilter
  readonly #state: State
  #timers: readonly ReturnType<typeof setInterval>[] = []

  constructor(ports: Ports, rules: Rules) {
    const state = new State()
    const activeFilter = new ActiveFilter({ ...ports, state })
    const { factStore: store, messageStore } = ports
    const whenFilterCurrent = () => activeFilter.whenCurrent()
    const journal = new Journal({ ...ports, store, state, whenFilterCurrent })
    const dependencies = { ...ports, store, journal, state, activeFilter }
    const messages = new MessageLog({ ...ports, store: messageStore, rules: rules.messageLog })
    this.messages = messages
    this.channels = new Channels({ ...dependencies, messages, rules: rules.channels })
    this.bans = new Bans(dependencies)
    this.filters = new Filters({ ...dependencies, rules: rules.filters })
    this.backtests = new Backtests({ ...dependencies, store: messageStore, messages })
    this.flood = new FloodControl(rules.flood, ports.monotonicClock)
    const { flood } = this
    this.reports = new Reports({ ...ports, store, messages, flood, rules: rules.reports })
    this.chat = new Chat({
      ...dependencies,
      channels: this.channels,
      bans: this.bans,
      filters: this.filters,
      messages,
      flood,
      rules: rules.chat,
    })
    this.tokens = ports.tokens
    this.#ports = ports
    this.#journal = journal
    this.#activeFilter = activeFilter
    this.#state = state
  }

  /** Resolves when this node has loaded the current state and receives every later change. */
  async start(deliver: (topic: Topic, event: ChatEvent) => void): Promise<void> {
    const { bus, roster, onBackgroundError } = this.#ports
    await bus.open({
      applyChanges: (changes) => this.#apply(changes),
      deliver,
      restore: (shard) => this.messages.restore(shard),
    })
    await this.#journal.start()
    await this.#activeFilter.whenCurrent()
    this.#timers = [
      setInterval(() => this.bans.evictExpired().catch(onBackgroundError), EVICTION_MS),
      setInterval(() => roster.renewLease().catch(onBackgroundError), LEASE_MS / 3),
    ]
  }

  async stop(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer)
    await this.backtests.stop()
  }

  /** Notifies the watcher of changes committed on any node, after they take effect on this one. */
  watch(watcher: StateWatcher): void {
    this.#state.watch(watcher)
  }

  /** Readiness checks, by name. */
  readonly checks = {
    store: async () => {
      await Promise.all([this.#ports.factStore.check(), this.#ports.messageStore.check()])
    },
    bus: async () => {
      await this.#ports.bus.check()
      await this.#journal.check()
    },
    filter: () => this.#activeFilter.check(),
  }

  /** A ban takes effect only when no earlier message of the player is still in flight. */
  async #apply(changes: readonly Change[]): Promise<void> {
    await this.#journal.receive(changes)
    for (const change of changes) {
      if (change.kind === 'ban-set') await this.chat.drainMessages(change.ban.playerId)
    }
  }
}
