import { describe, expect, test } from 'bun:test'
import { Subscriptions } from './subscriptions.ts'

/** A bus whose calls complete only when the test says so. */
class SlowBus {
  readonly calls: string[] = []
  readonly subscribed = new Set<string>()
  readonly #pending: { readonly done: PromiseWithResolvers<void>; readonly act: () => void }[] = []

  subscribe(topic: string): Promise<void> {
    return this.#call(`+${topic}`, () => this.subscribed.add(topic))
  }

  unsubscribe(topic: string): Promise<void> {
    return this.#call(`-${topic}`, () => this.subscribed.delete(topic))
  }

  /** Completes the oldest call and lets its waiters continue. */
  async finish(failure?: Error): Promise<void> {
    const { done, act } = this.#pending.shift() ?? {}
    if (failure === undefined) {
      act?.()
      done?.resolve()
    } else done?.reject(failure)
    await nextTick()
  }

  #call(name: string, act: () => void): Promise<void> {
    this.calls.push(name)
    const done = Promise.withResolvers<void>()
    this.#pending.push({ done, act })
    return done.promise
  }
}

const nextTick = () => new Promise((resolve) => setImmediate(resolve))

function outcomeOf(promise: Promise<void>) {
  const seen = { is: 'pending' }
  promise.then(
    () => Object.assign(seen, { is: 'done' }),
    ({ message }) => Object.assign(seen, { is: message }),
  )
  return seen
}

function setUp() {
  const bus = new SlowBus()
  const subscriptions = new Subscriptions(bus)
  return {
    bus,
    subscriptions,
    acquire: () => outcomeOf(subscriptions.acquire('t')),
    release: () => outcomeOf(subscriptions.release('t')),
  }
}

describe('Subscriptions', () => {
  test('shares a pending subscription between holders', async () => {
    const { bus, acquire } = setUp()
    const [first, second] = [acquire(), acquire()]
    await nextTick()
    expect([first.is, second.is]).toEqual(['pending', 'pending'])
    await bus.finish()
    expect([first.is, second.is]).toEqual(['done', 'done'])
    expect(bus.calls).toEqual(['+t'])
  })

  test('unsubscribes with the last holder and removes the topic', async () => {
    const { bus, subscriptions, acquire, release } = setUp()
    acquire()
    acquire()
    await nextTick()
    await bus.finish()
    release()
    await nextTick()
    expect(bus.calls).toEqual(['+t'])
    const last = release()
    await nextTick()
    expect([bus.calls, last.is]).toEqual([['+t', '-t'], 'pending'])
    await bus.finish()
    expect([last.is, subscriptions.size]).toEqual(['done', 0])
  })

  test('retries a failed subscription for the next holder in line', async () => {
    const { bus, subscriptions, acquire, release } = setUp()
    const [first, second] = [acquire(), acquire()]
    await nextTick()
    await bus.finish(new Error('unavailable'))
    expect([first.is, second.is]).toEqual(['unavailable', 'pending'])
    await bus.finish()
    expect([second.is, [...bus.subscribed]]).toEqual(['done', ['t']])
    release()
    await nextTick()
    await bus.finish()
    expect([bus.calls, subscriptions.size]).toEqual([['+t', '+t', '-t'], 0])
  })

  test('removes a topic whose subscription failed', async () => {
    const { bus, subscriptions, acquire } = setUp()
    const first = acquire()
    await nextTick()
    await bus.finish(new Error('unavailable'))
    expect([first.is, subscriptions.size]).toEqual(['unavailable', 0])
  })

  test('subscribes again for a holder that arrives during an unsubscribe', async () => {
    const { bus, acquire, release } = setUp()
    acquire()
    await nextTick()
    await bus.finish()
    release()
    await nextTick()
    const again = acquire()
    await nextTick()
    expect([bus.calls, again.is]).toEqual([['+t', '-t'], 'pending'])
    await bus.finish()
    await bus.finish()
    expect([bus.calls, again.is, [...bus.subscribed]]).toEqual([['+t', '-t', '+t'], 'done', ['t']])
  })

  test('leaves no subscription when the holder releases it while it is pending', async () => {
    const { bus, subscriptions, acquire, release } = setUp()
    acquire()
    release()
    while (subscriptions.size > 0) await bus.finish()
    expect([...bus.subscribed]).toEqual([])
  })

  test('subscribes again for the next holder after a failed unsubscribe', async () => {
    const { bus, subscriptions, acquire, release } = setUp()
    acquire()
    await nextTick()
    await bus.finish()
    const last = release()
    await nextTick()
    await bus.finish(new Error('unavailable'))
    expect([last.is, subscriptions.size]).toEqual(['unavailable', 0])
    acquire()
    await nextTick()
    expect(bus.calls).toEqual(['+t', '-t', '+t'])
  })
})
