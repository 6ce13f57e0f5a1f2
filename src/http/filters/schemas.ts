import { z } from 'zod'
import { packExpressions } from '../../core/expressions.ts'
import { FILTER_RULES } from '../../core/model.ts'
import { isPlainText } from '../../core/text.ts'
import {
  type InputLimits,
  languageField,
  numberField,
  stringsField,
  textField,
  upToBytes,
} from '../input-fields.ts'
import { integer, isoTime, text } from '../output-fields.ts'

/** In one request. */
const MAX_TEXTS = 1000
const MAX_SAMPLES = 20
const DEFAULT_BACKTEST_DAYS = 7
const MAX_BACKTEST_ID_BYTES = 128
const LANGUAGE = 'A language code, or `all`.'

export function createFilterInputs(limits: InputLimits) {
  const language = languageField(LANGUAGE)
  const filters = expressionsField(limits)
  const days = numberField((value) => value > 0 && value <= limits.messageDays).meta({
    exclusiveMinimum: 0,
    maximum: limits.messageDays,
    description: 'Days of the message log to cover; fractions are allowed.',
  })
  const backtestId = textField(MAX_BACKTEST_ID_BYTES, (id) => id !== '' && isPlainText(id)).meta({
    ...upToBytes(MAX_BACKTEST_ID_BYTES),
    description: 'Id of the back-test. Default: the newest.',
  })
  return {
    list: z.object({ language, filters }),
    check: z.object({ language, texts: textsField(limits), filters: filters.optional() }),
    backtest: z.object({
      language,
      filters,
      days: days.default(Math.min(DEFAULT_BACKTEST_DAYS, limits.messageDays)),
    }),
    backtestKey: z.object({ backtest_id: backtestId.optional() }),
  }
}

function expressionsField({ expressionsPerLanguage: maxItems, expressionCharacters }: InputLimits) {
  const check = (expression: string) => {
    if (hasMoreThan(expressionCharacters, expression)) return 'too-long'
    return expression.trim() !== '' && isPlainText(expression) ? undefined : 'invalid'
  }
  return stringsField({ maxItems, check }, packExpressions).meta({
    type: 'array',
    items: { type: 'string', minLength: 1, maxLength: expressionCharacters, pattern: '\\S' },
    maxItems,
    description:
      'Expressions, a word or phrase each. A leading or trailing `*` also matches longer words on that side.',
  })
}

function textsField({ messageBytes }: InputLimits) {
  const check = (each: string) => {
    if (Buffer.byteLength(each) > messageBytes) return 'too-long'
    return each.isWellFormed() ? undefined : 'invalid'
  }
  return stringsField({ maxItems: MAX_TEXTS, check }, (list) => list).meta({
    type: 'array',
    items: { type: 'string', ...upToBytes(messageBytes, 0) },
    maxItems: MAX_TEXTS,
    description: 'Texts as players would send them.',
  })
}

/** Counts code points, and only where the cheaper count of code units does not decide. */
const hasMoreThan = (characters: number, expression: string) =>
  expression.length > characters * 2 ||
  (expression.length > characters && [...expression].length > characters)

export const filterListEntry = z
  .object({
    language: text(LANGUAGE),
    filters: z
      .array(z.string())
      .meta({ description: 'The expressions, as they were sent and in that order.' }),
  })
  .meta({ id: 'FilterListEntry' })

const hits = z
  .array(
    z.object({
      start: integer('Start of the match in the text, in UTF-16 code units.'),
      end: integer('End of the match, exclusive.'),
      expression: text('The expression that matched, as it is in its list.'),
      language: text('The language of that list.'),
      rule: z.enum(FILTER_RULES).optional().meta({
        description:
          'How the text matches: as the expression is written (`word`), through an open side (`open`), as an inflected form (`inflection`), inside a longer word (`compound`), with look-alikes, signs, accents or repeated letters (`disguise`), or spelled out or cut in two (`split`).',
      }),
    }),
  )
  .meta({ description: 'What matched; empty for `clean`.' })

export const filterCheck = z
  .object({
    results: z
      .array(
        z.object({
          text: text('The text as it was sent.'),
          filtered: text('The text as players would see it; nobody sees it if the verdict is `blocked`.'),
          verdict: z
            .enum(['clean', 'masked', 'blocked'])
            .meta({ description: 'What the filter does with the text.' }),
          hits,
        }),
      )
      .meta({ description: 'One result for each text, in the order of `texts`.' }),
  })
  .meta({ id: 'FilterCheck' })

const sample = z.object({
  message_id: text('The message.'),
  gamer_id: text('The player who sent it.'),
  time: isoTime('When it was sent.'),
  text: text('As it was written.'),
  hits,
})

const caught = (description: string) =>
  z
    .object({
      count: integer('Number of messages.'),
      samples: z.array(sample).meta({ maxItems: MAX_SAMPLES, description: 'The newest of them.' }),
    })
    .meta({ description })

export const backtest = z
  .object({
    backtest_id: text('Id of the back-test.'),
    state: z.enum(['running', 'done', 'failed']).meta({ description: 'Whether it has finished.' }),
    language: text('Language of the draft.'),
    days: z.number().meta({ description: 'Days of the message log that it covers.' }),
    scanned: integer('Messages scanned so far.'),
    total: integer('Messages to scan.'),
    judged: integer('Scanned messages that this list applies to.'),
    newly_caught: caught('Messages that only the draft catches, with its hits.'),
    no_longer_caught: caught('Messages that only the current lists catch, with their hits.'),
    still_caught: caught('Messages that both catch, with the hits of the draft.'),
  })
  .meta({ id: 'Backtest' })
