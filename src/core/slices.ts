/** After this long at one piece of work, others get their turn. */
const SLICE_MS = 5

/** Resolves when everything else that waits for the loop has had its turn. */
export const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Cuts long work into slices, so that it never holds the loop that carries chat. */
export class Slices {
  #end = performance.now() + SLICE_MS

  get isOver(): boolean {
    return performance.now() >= this.#end
  }

  /** Lets the others go first. */
  async next(): Promise<void> {
    await nextTurn()
    this.#end = performance.now() + SLICE_MS
  }
}
