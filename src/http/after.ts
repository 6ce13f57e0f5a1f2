/** Goes on with a value at once when it is there, and when it has come otherwise. */
export function after<A, B>(value: A | Promise<A>, next: (value: A) => B | Promise<B>): B | Promise<B> {
  return value instanceof Promise ? value.then(next) : next(value)
}
