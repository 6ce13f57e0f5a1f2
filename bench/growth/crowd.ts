/**
 * The players of the growth benchmark, in a process of their own that takes commands from its parent. One process holds
 * all of them: on two cores a second one would only take time from the server.
 */
import type { Dialect } from '../dialects.ts'
import { fail, Member, messageText } from '../member.ts'
import { createGrowthDialect, type GrowthDialectName } from './dialects.ts'
import { Histogram } from './histogram.ts'

export interface CrowdOptions {
  readonly dialect: GrowthDialectName
  readonly port: number
  readonly members: number
  readonly channels: number
}

/** Deliveries count when they arrive before the end; those of members who reconnected carry no time. */
export interface Speech {
  readonly messages: number
  /** Those that the server rejected because it was overloaded. */
  readonly rejected: number
  /** Accepted messages times the members who were in the channel of each. */
  readonly expected: number
  readonly deliveries: number
  readonly seconds: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly maxMs: number
  /** Connections that the server closed. */
  readonly disconnects: number
  readonly driverCpuMs: number
  /** The longest turn of the driver's own event loop, which the times of deliveries include. */
  readonly driverStallMs: number
}

const CONCURRENT_CONNECTS = 512
const DISCONNECTS_PER_TURN = 100
/** As `Retry-After` asks, with a random part like that of the client library. */
const RETRY_MS = 1000
const DELIVERED_WITHIN_MS = 10_000

export class Crowd {
  readonly #options: CrowdOptions
  readonly #dialect: Dialect
  readonly #members: (Member | undefined)[]
  readonly #seated: Uint32Array
  readonly #hasStayed: Uint8Array
  #moved = 0
  #speech: RunningSpeech | undefined
  #nextNumber = 0
  #disconnects = 0

  constructor(options: CrowdOptions) {
    this.#options = options
    const dialect = createGrowthDialect(options.dialect, options.channels)
    this.#dialect = {
      path: dialect.path,
      deliveryStart: dialect.deliveryStart,
      prepare: (members) => dialect.prepare(members),
      hello: (member) => dialect.hello(member),
      next: (member, text) => this.#next(dialect, member, text),
      say: (text, n) => dialect.say(text, n),
    }
    this.#members = Array.from({ length: options.members })
    this.#seated = new Uint32Array(options.channels)
    this.#hasStayed = new Uint8Array(options.members).fill(1)
  }

  /** Resolves when all members have joined. */
  async connect(): Promise<{ readonly seconds: number }> {
    await this.#dialect.prepare(this.#options.members)
    return this.#connectAll(this.#members.keys())
  }

  /** Drops the connections of all but a share of the members and brings them back. */
  async reconnect({ staying }: { readonly staying: number }): Promise<{ readonly seconds: number }> {
    const every = Math.round(1 / staying)
    const leaving = this.#members.map((_, index) => index).filter((_, n) => n % every !== 0)
    for (const [n, index] of leaving.entries()) {
      this.#hasStayed[index] = 0
      this.#forget(index)?.disconnect()
      // Closing all of them in one turn would delay what this process receives meanwhile.
      if (n % DISCONNECTS_PER_TURN === 0) await Bun.sleep(0)
    }
    return this.#connectAll(leaving.values())
  }

  /** Starts messages of random members. */
  speak({ perSecond }: { readonly perSecond: number }): void {
    this.#speech = new RunningSpeech(perSecond, this.#nextNumber, (n) => this.#say(n))
  }

  /** Ends them. With `drain` it waits for the deliveries that are still missing. */
  async stopSpeaking({ drain }: { readonly drain: boolean }): Promise<Speech> {
    const speech = this.#speech
    if (speech === undefined) throw new Error('Nobody speaks.')
    await speech.stop(drain ? DELIVERED_WITHIN_MS : 0)
    this.#nextNumber = speech.nextNumber
    this.#speech = undefined
    const disconnects = this.#disconnects
    this.#disconnects = 0
    return { ...speech.result(), disconnects }
  }

  /** Resolves when that many members have joined another channel without asking. */
  async untilMoved({ members }: { readonly members: number }): Promise<void> {
    while (this.#moved < members) await Bun.sleep(2)
  }

  async #connectAll(indices: Iterable<number>): Promise<{ readonly seconds: number }> {
    const startedAt = performance.now()
    const waiting = indices[Symbol.iterator]()
    const lane = async () => {
      for (let next = waiting.next(); !next.done; next = waiting.next()) await this.#connectOne(next.value)
    }
    await Promise.all(Array.from({ length: CONCURRENT_CONNECTS }, lane))
    return { seconds: (performance.now() - startedAt) / 1000 }
  }

  async #connectOne(index: number): Promise<void> {
    for (;;) {
      const member = new Member(
        index,
        this.#dialect,
        (_, n, at) => this.#delivered(index, n, at),
        () => this.#lost(index),
      )
      await member.connect(this.#options.port)
      if (!member.isLost) {
        this.#members[index] = member
        this.#seated[this.#channelOf(index)]!++
        return
      }
      await Bun.sleep(RETRY_MS * (1 + Math.random()))
    }
  }

  #lost(index: number): void {
    if (this.#forget(index) !== undefined) this.#disconnects++
  }

  #forget(index: number): Member | undefined {
    const member = this.#members[index]
    this.#members[index] = undefined
    if (member !== undefined) this.#seated[this.#channelOf(index)]!--
    return member
  }

  #channelOf(index: number): number {
    return index % this.#options.channels
  }

  /** Returns how many members should receive it; undefined when the chosen member is not connected. */
  #say(n: number): number | undefined {
    const index = Math.floor(Math.random() * this.#members.length)
    const member = this.#members[index]
    if (member === undefined) return undefined
    member.send(this.#dialect.say(messageText(n), n))
    return this.#seated[this.#channelOf(index)]
  }

  #delivered(index: number, n: number, at: number): void {
    this.#speech?.delivered(n, at, this.#hasStayed[index] === 1)
  }

  #rejected(member: number, text: string): void {
    const { id, code } = JSON.parse(text)
    if (code !== 'SERVER_BUSY') fail(text)
    this.#speech?.rejected(id, this.#seated[this.#channelOf(member)]!)
  }

  #next(dialect: Dialect, member: number, text: string): string | undefined {
    if (text.startsWith('{"type":"error"')) {
      this.#rejected(member, text)
      return undefined
    }
    // Follows `moved`, and is the last frame that a member gets about it.
    if (text.startsWith('{"type":"joined","id":null')) this.#moved++
    return dialect.next(member, text)
  }
}

/** Messages at a fixed rate, and the deliveries of them. */
class RunningSpeech {
  readonly #perSecond: number
  /** Deliveries of earlier speeches, with lower numbers, are ignored. */
  readonly #firstNumber: number
  readonly #say: (n: number) => number | undefined
  readonly #startedAt = performance.now()
  readonly #cpu = process.cpuUsage()
  readonly #times = new Histogram()
  /** By message number, counted from the first. */
  readonly #sentAt: number[] = []
  readonly #pacing: Promise<void>
  #isOver = false
  #stallMs = 0
  #messages = 0
  #rejected = 0
  #expected = 0
  #deliveries = 0

  constructor(perSecond: number, firstNumber: number, say: (n: number) => number | undefined) {
    this.#perSecond = perSecond
    this.#firstNumber = firstNumber
    this.#say = say
    this.#pacing = this.#keepPace()
  }

  get nextNumber(): number {
    return this.#firstNumber + this.#sentAt.length
  }

  delivered(n: number, at: number, isTimed: boolean): void {
    const sentAt = this.#sentAt[n - this.#firstNumber]
    if (sentAt === undefined) return
    this.#deliveries++
    if (isTimed) this.#times.add(at - sentAt)
  }

  rejected(n: number, readers: number): void {
    if (n < this.#firstNumber) return
    this.#rejected++
    this.#expected -= readers
  }

  async stop(drainMs: number): Promise<void> {
    this.#isOver = true
    await this.#pacing
    const deadline = performance.now() + drainMs
    while (this.#deliveries < this.#expected && performance.now() < deadline) await Bun.sleep(1)
  }

  result(): Omit<Speech, 'disconnects'> {
    const { user, system } = process.cpuUsage(this.#cpu)
    return {
      messages: this.#messages,
      rejected: this.#rejected,
      expected: this.#expected,
      deliveries: this.#deliveries,
      seconds: (performance.now() - this.#startedAt) / 1000,
      p50Ms: this.#times.quantile(0.5),
      p99Ms: this.#times.quantile(0.99),
      maxMs: this.#times.quantile(1),
      driverCpuMs: (user + system) / 1000,
      driverStallMs: this.#stallMs,
    }
  }

  async #keepPace(): Promise<void> {
    while (!this.#isOver) {
      const due = ((performance.now() - this.#startedAt) / 1000) * this.#perSecond
      while (this.#sentAt.length < due) this.#sayNext()
      const sleepsAt = performance.now()
      await Bun.sleep(1)
      this.#stallMs = Math.max(this.#stallMs, performance.now() - sleepsAt - 1)
    }
  }

  #sayNext(): void {
    const n = this.nextNumber
    this.#sentAt.push(performance.now())
    const readers = this.#say(n)
    if (readers === undefined) return
    this.#messages++
    this.#expected += readers
  }
}
