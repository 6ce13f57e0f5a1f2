/**
 * What grows with a game: the cost of a message, an evening of ten thousand players and its overload, big channels,
 * long lists, a big data folder, a long message log.
 */
import { bigChannel } from './growth/big-channel.ts'
import { creation, joining } from './growth/channels.ts'
import { evening } from './growth/evening.ts'
import { logWork } from './growth/log-work.ts'
import { messageCost } from './growth/message-cost.ts'
import { overload } from './growth/overload.ts'
import { pages } from './growth/pages.ts'
import type { GrowthOptions, Part } from './growth/part.ts'
import { SeededFolders } from './growth/seed.ts'
import { startAtSize } from './growth/start-at-size.ts'
import type { Measurement } from './support.ts'

const PARTS: readonly Part[] = [
  messageCost,
  evening,
  overload,
  bigChannel,
  ...pages,
  creation,
  joining,
  startAtSize,
  ...logWork,
]

export async function measureGrowth({
  only = '',
  ...options
}: Omit<GrowthOptions, 'folders'> & { readonly only: string | undefined }): Promise<Measurement[]> {
  const parts = PARTS.filter(({ name }) => name.includes(only))
  if (parts.length === 0)
    throw new Error(`No part contains ${only}. Available: ${PARTS.map(({ name }) => name)}`)
  await using folders = new SeededFolders()
  const measurements: Measurement[] = []
  for (const part of parts) {
    console.error(`growth: ${part.name}`)
    measurements.push(...(await part.measure({ ...options, folders })))
  }
  return measurements
}
