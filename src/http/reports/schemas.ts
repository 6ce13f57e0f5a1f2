import { z } from 'zod'
import { integer, spacedTime, text } from '../output-fields.ts'

export const report = z
  .object({
    report_id: integer('Ascends from 1 and is never reused.'),
    to_gamer_id: text('The reported player.'),
    to_gamer_name: text('Their name at the time.'),
    from_gamer_id: text('The reporting player.'),
    from_gamer_name: text('Their name at the time.'),
    message: text('The reported message, as it was written, before masking.'),
    keyword: text('Category, such as INAPPROPRIATE.'),
    reason: text('What the reporting player added.'),
    status: integer('1 not processed, 2 processed; always 1 in this version.'),
    value: integer(
      '0 no sanction, 1 chat ban, 2 suspension, 3 permanent suspension; always 0 in this version.',
    ),
    update_at: spacedTime('When it last changed.'),
    create_at: spacedTime('When it was filed.'),
  })
  .meta({ id: 'Report' })
