import { Bans } from './bans.ts'
import type { Bus } from './bus.ts'
import { type ChannelRules, Channels } from './channels.ts'
import { Chat } from './chat.ts'
import type { Clock } from './clock.ts'
import type { ChatEvent, Topic } from './events.ts'
import { Filters } from './filters.ts'
import { Journal } from './journal.ts'
import { Reports } from './reports.ts'
import type { Roster } from './roster.ts'
import { State } from './state.ts'
import type { FilterListEdit, Store } from './store.ts'

export interface Ports {
  readonly store: Store
  readonly bus: Bus
  readonly roster: Roster
  readonly clock: Clock
}

export interface Rules {
  readonly channels: ChannelRules
  readonly filters: FilterListEdit['quota']
}

/** The services that every door shares. */
export class App {
  readonly channels: Channels
  readonly bans: Bans
  readonly filters: Filters
  readonly reports: Reports
  readonly chat: Chat
  readonly #ports: Ports
  readonly #journal: Journal

  constructor(ports: Ports, rules: Rules) {
    const state = new State()
    const journal = new Journal({ ...ports, state })
    const parts = { ...ports, journal, state }
    this.channels = new Channels({ ...parts, rules: rules.channels })
    this.bans = new Bans(parts)
    this.filters = new Filters({ ...parts, quota: rules.filters })
    this.reports = new Reports(ports.store)
    this.chat = new Chat({ ...ports, channels: this.channels })
    this.#ports = ports
    this.#journal = journal
  }

  /** Resolves when this node knows all that is in force and hears what comes after. */
  async start(deliver: (topic: Topic, event: ChatEvent) => void): Promise<void> {
    await this.#ports.bus.open({ applyChanges: (changes) => this.#journal.receive(changes), deliver })
    await this.#journal.start()
  }

  /** What must work for this node to take requests, by name. */
  readonly checks = {
    store: () => this.#ports.store.check(),
    bus: () => this.#ports.bus.check(),
  }
}
