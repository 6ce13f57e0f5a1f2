/**
 * The load generator of the chat benchmarks, as a process of its own: seats members, sends messages, counts the deliveries
 * to each member, and prints the result as JSON. Uses raw sockets, so that the driver costs less than the server.
 * Usage: bun bench/chat-load.ts '{"dialect":"parley","port":4140,"pid":1,"members":100,"channels":1,…}'
 */
import { createDialect, type DialectName } from './dialects.ts'
import { fail, Member, messageText } from './member.ts'
import { cpuMs, residentMb } from './support.ts'

export interface ChatLoad {
  readonly dialect: DialectName
  readonly port: number
  /** The process id of the server. */
  readonly pid: number
  readonly members: number
  /** Members are spread over the channels. Messages require a single channel. */
  readonly channels: number
  readonly warmSeconds: number
  readonly seconds: number
  /**
   * `rate`: messages at a fixed rate, from all members in turn. `burst`: each sender sends again once it receives its own
   * message. `silence`: no messages.
   */
  readonly speech:
    | { readonly kind: 'rate'; readonly perSecond: number }
    | { readonly kind: 'burst'; readonly speakers: number }
    | { readonly kind: 'silence' }
}

export interface ChatResult {
  readonly seatedMs: number
  readonly messages: number
  readonly deliveries: number
  readonly perSecond: number
  readonly serverCpuMs: number
  readonly driverCpuMs: number
  readonly serverMb: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly maxMs: number
}

const CONCURRENT_CONNECTS = 256
const DELIVERED_WITHIN_MS = 10_000
const STEP_MS = 0.05
const STEPS = 400_000

class Driver {
  readonly #load: ChatLoad
  readonly #members: readonly Member[]
  readonly #prepared: Promise<void>
  readonly #say: (text: string, n: number) => string
  /** By message number. */
  readonly #sentAt: number[] = []
  readonly #speakers: number[] = []
  /** Latency histogram: deliveries by number of steps. */
  #times = new Uint32Array(STEPS)
  #received = 0
  #lastAt = 0
  #endAt = 0

  constructor(load: ChatLoad) {
    this.#load = load
    const dialect = createDialect(load.dialect, load.channels)
    this.#prepared = dialect.prepare(load.members)
    this.#say = (text, n) => dialect.say(text, n)
    this.#members = Array.from(
      { length: load.members },
      (_, n) => new Member(n, dialect, (member, number, at) => this.#delivered(member, number, at)),
    )
  }

  async run(): Promise<ChatResult> {
    await this.#prepared
    const connectingAt = performance.now()
    await this.#connect()
    const seatedMs = performance.now() - connectingAt
    await this.#speak(this.#load.warmSeconds)
    const before = { messages: this.#sentAt.length, deliveries: this.#received }
    this.#times = new Uint32Array(STEPS)
    const server = cpuMs(this.#load.pid)
    const driver = process.cpuUsage()
    const startedAt = performance.now()
    await this.#speak(this.#load.seconds)
    const spent = process.cpuUsage(driver)
    const deliveries = this.#received - before.deliveries
    return {
      seatedMs,
      messages: this.#sentAt.length - before.messages,
      deliveries,
      perSecond: deliveries / ((this.#lastAt - startedAt) / 1000),
      serverCpuMs: cpuMs(this.#load.pid) - server,
      driverCpuMs: (spent.user + spent.system) / 1000,
      serverMb: residentMb(this.#load.pid),
      p50Ms: this.#timeAt(0.5, deliveries),
      p99Ms: this.#timeAt(0.99, deliveries),
      maxMs: this.#timeAt(1, deliveries),
    }
  }

  async #connect(): Promise<void> {
    const waiting = this.#members.values()
    const connectNext = async () => {
      for (const member of waiting) await member.connect(this.#load.port)
    }
    await Promise.all(Array.from({ length: CONCURRENT_CONNECTS }, connectNext))
  }

  /** Resolves once all members have received all messages. */
  async #speak(seconds: number): Promise<void> {
    const { speech } = this.#load
    const startedAt = performance.now()
    this.#endAt = startedAt + seconds * 1000
    if (speech.kind === 'burst')
      for (let speaker = 0; speaker < speech.speakers; speaker++) this.#send(this.#members[speaker]!)
    if (speech.kind === 'rate') await this.#keepRate(speech.perSecond, startedAt)
    await Bun.sleep(Math.max(0, this.#endAt - performance.now()))
    await this.#awaitDeliveries()
  }

  async #keepRate(perSecond: number, startedAt: number): Promise<void> {
    const before = this.#sentAt.length
    while (performance.now() < this.#endAt) {
      const due = before + ((performance.now() - startedAt) / 1000) * perSecond
      while (this.#sentAt.length < due) this.#send(this.#members[this.#sentAt.length % this.#members.length]!)
      await Bun.sleep(1)
    }
  }

  async #awaitDeliveries(): Promise<void> {
    const deadline = performance.now() + DELIVERED_WITHIN_MS
    const expected = () => this.#sentAt.length * this.#members.length
    while (this.#received < expected() && performance.now() < deadline) await Bun.sleep(1)
    const sent = this.#sentAt.length
    const missing = this.#members.filter(
      ({ received, sum }) => received !== sent || sum !== (sent * (sent - 1)) / 2,
    )
    if (missing.length > 0)
      fail(`${missing.length} members missed messages: ${this.#received} of ${expected()} deliveries`)
  }

  #send(member: Member): void {
    const n = this.#sentAt.length
    this.#sentAt.push(performance.now())
    this.#speakers.push(member.index)
    member.send(this.#say(messageText(n), n))
  }

  #delivered(member: Member, number: number, at: number): void {
    this.#received++
    this.#lastAt = at
    const step = Math.floor((at - this.#sentAt[number]!) / STEP_MS)
    this.#times[Math.max(0, Math.min(STEPS - 1, step))]!++
    const isOwn = this.#speakers[number] === member.index
    if (isOwn && this.#load.speech.kind === 'burst' && at < this.#endAt) this.#send(member)
  }

  #timeAt(share: number, count: number): number {
    let left = Math.ceil(count * share)
    for (let step = 0; step < STEPS; step++) {
      left -= this.#times[step]!
      if (left <= 0) return step * STEP_MS
    }
    return STEPS * STEP_MS
  }
}

if (import.meta.main) {
  console.log(JSON.stringify(await new Driver(JSON.parse(process.argv[2] ?? '')).run()))
  process.exit(0)
}
