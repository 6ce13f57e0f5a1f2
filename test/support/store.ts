import { afterEach, beforeEach } from 'bun:test'
import { rm } from 'node:fs/promises'
import { makeFolder } from './server.ts'

/** Storage that outlives the stores opened on it. */
export interface StoreHarness<Store> {
  open(): Promise<Store>
  remove(): Promise<void>
}

export type CreateHarness<Store> = () => Promise<StoreHarness<Store>>

interface Closable {
  close(): Promise<void>
}

/**
 * Opens a store on new storage before each test of the surrounding `describe`, and removes both after it. Passes every
 * opened store to `assign`. Returns a function that closes the store and opens another on the same storage.
 */
export function useStore<Store extends Closable>(
  createHarness: CreateHarness<Store>,
  assign: (store: Store) => void,
): () => Promise<void> {
  let harness: StoreHarness<Store>
  let store: Store
  const open = async () => {
    store = await harness.open()
    assign(store)
  }
  beforeEach(async () => {
    harness = await createHarness()
    await open()
  })
  afterEach(async () => {
    await store.close()
    await harness.remove()
  })
  return async () => {
    await store.close()
    await open()
  }
}

/** Storage in a temporary folder. */
export const inTemporaryFolder =
  <Store>(open: (folder: string) => Promise<Store>): CreateHarness<Store> =>
  async () => {
    const folder = makeFolder()
    return { open: () => open(folder), remove: () => rm(folder, { recursive: true }) }
  }
