import type { Ban } from '../../../core/model.ts'
import type { Attachments } from '../envelope.ts'

/** A row of a page: seq, player id, count, start and end. */
export type BanValues = [seq: number, playerId: string, count: number, startsAt: number, endsAt: number]

/** The length of the player's id and the numbers of the ban. */
const NUMBERS_PER_BAN = 5

/** Encodes a page as one text and one array, since JSON of a million bans would cost four times as much. */
export function encodeBans(rows: readonly BanValues[]): Attachments {
  const numbers = new Float64Array(rows.length * NUMBERS_PER_BAN)
  let position = 0
  let ids = ''
  for (const row of rows) {
    ids += row[1]
    numbers[position++] = row[1].length
    numbers[position++] = row[0]
    numbers[position++] = row[2]
    numbers[position++] = row[3]
    numbers[position++] = row[4]
  }
  return { texts: [ids], numbers }
}

export function decodeBans({ texts: [ids = ''] = [], numbers = new Float64Array() }: Attachments): Ban[] {
  const bans: Ban[] = []
  let start = 0
  for (let position = 0; position < numbers.length; position += NUMBERS_PER_BAN) {
    const end = start + (numbers[position] ?? 0)
    bans.push({
      seq: numbers[position + 1] ?? 0,
      playerId: ids.slice(start, end),
      count: numbers[position + 2] ?? 0,
      startsAt: numbers[position + 3] ?? 0,
      endsAt: numbers[position + 4] ?? 0,
    })
    start = end
  }
  return bans
}
