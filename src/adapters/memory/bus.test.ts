import { testBus } from '../bus.contract.ts'
import { MemoryNetwork } from './bus.ts'

testBus('MemoryBus', async () => {
  const network = new MemoryNetwork(() => 0)
  return { join: async () => network.join(), remove: async () => undefined }
})
