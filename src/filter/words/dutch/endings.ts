import { type Ending, endings } from '../language.ts'

/** Consonants that are doubled before -en: pikken, pikt. */
const DOUBLED = [...'bfgklmnprs']

export const dutchEndings: readonly Ending[] = [
  ...endings('en', { doubles: true }),
  ...endings('s je jes tje tjes'),
  ...endings('t te ten de den end ende', { strip: 'en' }),
  ...DOUBLED.flatMap((letter) => endings(`${letter}t`, { strip: `${letter}${letter}en` })),
  // In the dictionary these are often other words: kont and konter.
  ...endings('e t', { isDerivation: true }),
  ...endings('er ers ig ige', { isDerivation: true, strip: 'en' }),
  ...endings('er ers ig ige', { isDerivation: true, doubles: true }),
]
