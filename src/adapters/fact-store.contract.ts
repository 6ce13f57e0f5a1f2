import { describe } from 'bun:test'
import type { CreateHarness } from '../../test/support/store.ts'
import type { FactStore } from '../core/ports/fact-store.ts'
import { testDefinitions } from './fact-store-definitions.contract.ts'
import { testReports } from './fact-store-reports.contract.ts'
import { testWrites } from './fact-store-writes.contract.ts'

/** Tests the contract of `FactStore`. */
export function testFactStore(name: string, createHarness: CreateHarness<FactStore>): void {
  describe(`${name} satisfies the FactStore contract`, () => {
    testDefinitions(createHarness)
    testReports(createHarness)
    testWrites(createHarness)
  })
}
