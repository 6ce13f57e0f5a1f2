/**
 * Calls `next` with a value, synchronously when it is not a promise: most reads need no await, and each one would cost a
 * trip through the microtask queue.
 */
export function andThen<A, B>(value: A | Promise<A>, next: (value: A) => B | Promise<B>): B | Promise<B> {
  return value instanceof Promise ? value.then(next) : next(value)
}
