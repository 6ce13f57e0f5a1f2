import type { Backtest, CaughtMessages } from '../../core/backtests.ts'
import { chunksOf } from '../../core/expressions.ts'
import type { FilterCheckResult } from '../../core/filters.ts'
import { ALL_LANGUAGES, type FilterList, type FilterListKind, languageKey } from '../../core/model.ts'
import type { ListShape } from '../paging.ts'
import { isoTime } from '../times.ts'

/** Yields an entry in pieces, because a list may have a hundred thousand expressions. */
export function* renderFilterList({ language, expressions }: Omit<FilterList, 'kind'>): Generator<string> {
  yield `{"language":${JSON.stringify(language)},"filters":[`
  let separator = ''
  for (const piece of chunksOf(expressions)) {
    yield separator + JSON.stringify(piece).slice(1, -1)
    separator = ','
  }
  yield ']}'
}

export const filterListList = (kind: FilterListKind): ListShape<FilterList> => ({
  name: kind,
  render: renderFilterList,
  position: ({ language }) => [languageKey(language)],
  isAfter: ({ language }, [key = '']) =>
    languageKey(language) !== ALL_LANGUAGES && (key === ALL_LANGUAGES || languageKey(language) > key),
  positionTypes: ['string'],
})

export const renderCheckResult = (original: string, { text, verdict, hits }: FilterCheckResult) => ({
  text: original,
  filtered: text,
  verdict,
  hits,
})

const renderCatch = ({ count, samples }: CaughtMessages) => ({
  count,
  samples: samples.map(({ message, hits }) => ({
    message_id: message.id,
    gamer_id: message.player?.id ?? '',
    time: isoTime(message.at),
    text: message.original,
    hits,
  })),
})

export const renderBacktest = (backtest: Backtest) => ({
  backtest_id: backtest.id,
  state: backtest.state,
  language: backtest.language,
  days: backtest.days,
  scanned: backtest.scanned,
  total: backtest.total,
  judged: backtest.checked,
  newly_caught: renderCatch(backtest.newlyCaught),
  no_longer_caught: renderCatch(backtest.noLongerCaught),
  still_caught: renderCatch(backtest.stillCaught),
})
