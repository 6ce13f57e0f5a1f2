import { testRoster } from '../roster.contract.ts'
import { MemoryRoster } from './roster.ts'

testRoster('MemoryRoster', async () => {
  let shared: MemoryRoster | undefined
  return {
    open: async (clock) => {
      shared ??= new MemoryRoster(clock)
      return shared
    },
    remove: async () => undefined,
  }
})
