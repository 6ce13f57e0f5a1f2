/** A reference model of the API, kept as simple as possible. */

export interface ModelChannel {
  readonly name: string
  readonly maxCount: number
  readonly isDefault: boolean
  readonly isAutoscaling: boolean
  readonly createdAt: number
}

export interface Step {
  readonly method: string
  readonly path: string
  readonly body: Readonly<Record<string, unknown>>
  /** Sent as `Idempotency-Key`. */
  readonly key?: string
  /** The ETag to send in `If-Match`: the newest, or the previous one. */
  readonly ifMatch?: 'newest' | 'older'
}

export interface Expected {
  readonly status: number
  readonly json: unknown
}

type Input = {
  readonly channel_group: string
  readonly channel_name: string
  readonly max_count?: number
  readonly is_default?: boolean
  readonly is_autoscaling?: boolean
  readonly channel_id?: number
  readonly gamer_id: string
  readonly days: number
  readonly language: string
  readonly filters: readonly string[]
}

const DAY_MS = 86_400_000
const iso = (at: number) => `${new Date(at).toISOString().slice(0, 19)}Z`
const spaced = (at: number) => new Date(at).toISOString().slice(0, 19).replace('T', ' ')
const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
const failure = (code: number, message: string): Expected => ({
  status: Math.floor(code / 1000),
  json: { message, code, error: true },
})

const UNKNOWN = failure(400201, 'The channel was not found.')
const EXISTS = failure(400202, 'The channel already exists.')
const KEY_REUSED = failure(400111, '"Idempotency-Key" has an invalid value.')
const STALE = failure(412100, 'The word lists have changed since this ETag was issued.')
const done = (json: unknown): Expected => ({ status: 200, json })

export class Model {
  now: number
  readonly #groups = new Map<string, Map<string, ModelChannel>>()
  #bans: { readonly id: string; readonly count: number; readonly start: number; readonly end: number }[] = []
  readonly #counts = new Map<string, number>()
  readonly #filters = new Map<string, { readonly language: string; readonly filters: readonly string[] }>()
  readonly #responses = new Map<
    string,
    { readonly sent: string; readonly at: number; readonly response: Expected }
  >()

  constructor(now: number) {
    this.now = now
  }

  get groupNames(): readonly string[] {
    return [...this.#groups.keys()].sort(byText)
  }

  get lists(): Readonly<Record<string, unknown>> {
    return {
      '/open_channel_groups': this.groupNames,
      '/block_user_list': this.#bans
        .filter(({ end }) => end > this.now)
        .map(({ id, count, start, end }) => ({
          gamer_id: id,
          count,
          start_time: iso(start),
          end_time: iso(end),
        })),
      '/bad_word_list': [...this.#filters]
        .sort(([a], [b]) => Number(b === 'all') - Number(a === 'all') || byText(a, b))
        .map(([, list]) => list),
      '/report_list': [],
    }
  }

  channels(group: string): unknown[] {
    return [...(this.#groups.get(group)?.values() ?? [])]
      .sort((a, b) => byText(a.name, b.name))
      .map((channel) => ({
        channel_name: channel.name,
        channel_id: 1,
        max_count: channel.maxCount,
        is_default: channel.isDefault,
        is_autoscaling: channel.isAutoscaling,
        players: [],
        last_chat_time: spaced(channel.createdAt),
        create_at: spaced(channel.createdAt),
      }))
  }

  /** `isStale`: the `If-Match` of the step is not the newest version. */
  take(step: Step, isStale: boolean): Expected {
    if (step.key === undefined) return this.#apply(step, isStale)
    const sent = `${step.method} ${step.path} ${JSON.stringify(step.body)}`
    const known = this.#responses.get(step.key)
    if (known !== undefined && this.now - known.at < DAY_MS)
      return known.sent === sent ? known.response : KEY_REUSED
    const response = this.#apply(step, isStale)
    if (response !== STALE) this.#responses.set(step.key, { sent, at: this.now, response })
    return response
  }

  #apply({ method, path, body }: Step, isStale: boolean): Expected {
    const { channel_name } = body as Input
    const input = { ...(body as Input), ...(channel_name && { channel_name: channel_name.normalize() }) }
    switch (`${method} ${path}`) {
      case 'PUT /open_channels':
        return this.#create(input)
      case 'PATCH /open_channels':
        return this.#change(input)
      case 'DELETE /open_channels':
        return this.#delete(input)
      case 'PUT /block_user_chat':
        return this.#ban(input)
      case 'DELETE /block_user_chat':
        this.#bans = this.#bans.filter(({ id }) => id !== input.gamer_id)
        return done(body)
      case 'PUT /bad_word_list':
        return this.#replace(input, isStale)
      default:
        return this.#announce(input)
    }
  }

  #find({ channel_group, channel_name }: Input): ModelChannel | undefined {
    return this.#groups.get(channel_group)?.get(channel_name)
  }

  #create(input: Input): Expected {
    const {
      max_count: maxCount = 50,
      is_default: isDefault = false,
      is_autoscaling: isAutoscaling = true,
    } = input
    const wanted = { name: input.channel_name, maxCount, isDefault, isAutoscaling }
    const existing = this.#find(input)
    if (existing === undefined) return this.#put(input.channel_group, { ...wanted, createdAt: this.now })
    const { createdAt, ...settings } = existing
    return Bun.deepEquals(settings, wanted) ? this.#put(input.channel_group, existing) : EXISTS
  }

  #change(input: Input): Expected {
    const existing = this.#find(input)
    if (existing === undefined) return UNKNOWN
    return this.#put(input.channel_group, {
      ...existing,
      maxCount: input.max_count ?? existing.maxCount,
      isDefault: input.is_default ?? existing.isDefault,
      isAutoscaling: input.is_autoscaling ?? existing.isAutoscaling,
    })
  }

  #put(group: string, channel: ModelChannel): Expected {
    const channels = this.#groups.get(group) ?? new Map<string, ModelChannel>()
    this.#groups.set(group, channels)
    if (channel.isDefault)
      for (const [name, other] of channels) channels.set(name, { ...other, isDefault: false })
    channels.set(channel.name, channel)
    return done({
      channel_group: group,
      channel_name: channel.name,
      channel_id: 1,
      max_count: channel.maxCount,
      is_default: channel.isDefault,
      create_at: spaced(channel.createdAt),
    })
  }

  #delete(input: Input): Expected {
    if (this.#find(input) === undefined) return UNKNOWN
    const { channel_group, channel_name } = input
    this.#groups.get(channel_group)?.delete(channel_name)
    if (this.#groups.get(channel_group)?.size === 0) this.#groups.delete(channel_group)
    return done([{ channel_group, channel_name, channel_id: 1 }])
  }

  #ban(input: Input): Expected {
    const id = input.gamer_id
    const count = (this.#counts.get(id) ?? 0) + 1
    this.#counts.set(id, count)
    const start = this.now - (this.now % 1000)
    const end = start + Math.round(input.days * 86_400) * 1000
    this.#bans = [{ id, count, start, end }, ...this.#bans.filter((ban) => ban.id !== id)]
    return done(input)
  }

  #replace(input: Input, isStale: boolean): Expected {
    if (isStale) return STALE
    const key = input.language.toLowerCase().replaceAll('_', '-')
    this.#filters.set(key, { ...input, language: key === 'all' ? 'all' : input.language })
    return done(input)
  }

  #announce(input: Input): Expected {
    const isThere = this.#find(input) !== undefined && (input.channel_id ?? 0) <= 1
    return isThere ? done(input) : UNKNOWN
  }
}
