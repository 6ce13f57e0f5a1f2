import { describe, expect, test } from 'bun:test'
import { Subscriptions } from './subscriptions.ts'

/** A bus that does what it is asked for when it is told to. */
class SlowBus {
  readonly calls: string[] = []
  readonly heard = new Set<string>()
  readonly #waiting: { readonly done: PromiseWithResolvers<void>; readonly act: () => void }[] = []

  subscribe(topic: string): Promise<void> {
    return this.#call(`+${topic}`, () => this.heard.add(topic))
  }

  unsubscribe(topic: string): Promise<void> {
    return this.#call(`-${topic}`, () => this.heard.delete(topic))
  }

  /** Finishes the oldest call, and gives those who wait the chance to go on. */
  async finish(failure?: Error): Promise<void> {
    const { done, act } = this.#waiting.shift() ?? {}
    if (failure === undefined) {
      act?.()
      done?.resolve()
    } else done?.reject(failure)
    await turn()
  }

  #call(name: string, act: () => void): Promise<void> {
    this.calls.push(name)
    const done = Promise.withResolvers<void>()
    this.#waiting.push({ done, act })
    return done.promise
  }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

function outcomeOf(promise: Promise<void>) {
  const seen = { is: 'waiting' }
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
    hold: () => outcomeOf(subscriptions.hold('t')),
    release: () => outcomeOf(subscriptions.release('t')),
  }
}

describe('Subscriptions', () => {
  test('a second holder waits for the subscription that the first one is waiting for', async () => {
    const { bus, hold } = setUp()
    const [first, second] = [hold(), hold()]
    await turn()
    expect([first.is, second.is]).toEqual(['waiting', 'waiting'])
    await bus.finish()
    expect([first.is, second.is]).toEqual(['done', 'done'])
    expect(bus.calls).toEqual(['+t'])
  })

  test('unsubscribes with the last holder, and forgets the topic', async () => {
    const { bus, subscriptions, hold, release } = setUp()
    hold()
    hold()
    await turn()
    await bus.finish()
    release()
    await turn()
    expect(bus.calls).toEqual(['+t'])
    const last = release()
    await turn()
    expect([bus.calls, last.is]).toEqual([['+t', '-t'], 'waiting'])
    await bus.finish()
    expect([last.is, subscriptions.size]).toEqual(['done', 0])
  })

  test('a subscription that failed is not remembered: who waits tries it again', async () => {
    const { bus, subscriptions, hold, release } = setUp()
    const [first, second] = [hold(), hold()]
    await turn()
    await bus.finish(new Error('away'))
    expect([first.is, second.is]).toEqual(['away', 'waiting'])
    await bus.finish()
    expect([second.is, [...bus.heard]]).toEqual(['done', ['t']])
    release()
    await turn()
    await bus.finish()
    expect([bus.calls, subscriptions.size]).toEqual([['+t', '+t', '-t'], 0])
  })

  test('nothing is left of a topic that nobody could subscribe to', async () => {
    const { bus, subscriptions, hold } = setUp()
    const first = hold()
    await turn()
    await bus.finish(new Error('away'))
    expect([first.is, subscriptions.size]).toEqual(['away', 0])
  })

  test('who comes while the topic is given up is subscribed again', async () => {
    const { bus, hold, release } = setUp()
    hold()
    await turn()
    await bus.finish()
    release()
    await turn()
    const again = hold()
    await turn()
    expect([bus.calls, again.is]).toEqual([['+t', '-t'], 'waiting'])
    await bus.finish()
    await bus.finish()
    expect([bus.calls, again.is, [...bus.heard]]).toEqual([['+t', '-t', '+t'], 'done', ['t']])
  })

  test('who goes while the topic is subscribed to leaves no subscription behind', async () => {
    const { bus, subscriptions, hold, release } = setUp()
    hold()
    release()
    while (subscriptions.size > 0) await bus.finish()
    expect([...bus.heard]).toEqual([])
  })

  test('after a failure to unsubscribe the next holder subscribes anew', async () => {
    const { bus, subscriptions, hold, release } = setUp()
    hold()
    await turn()
    await bus.finish()
    const gone = release()
    await turn()
    await bus.finish(new Error('away'))
    expect([gone.is, subscriptions.size]).toEqual(['away', 0])
    hold()
    await turn()
    expect(bus.calls).toEqual(['+t', '-t', '+t'])
  })
})
