import { type Ending, endings } from '../language.ts'

export const englishEndings: readonly Ending[] = [
  ...endings('s'),
  ...endings('es', { after: 'sxzoh' }),
  ...endings('ed ing', { doubles: true }),
  ...endings('ed ing', { strip: 'e' }),
  ...endings('ies ied ier iest', { strip: 'y' }),
  // Colloquial spellings. In the dictionary they are other words: jerkin, cumin, quartz, pizza, bond.
  ...endings('in a as ah', { isDerivation: true, doubles: true }),
  ...endings('z d', { isDerivation: true }),
  ...endings('er ers ings y ies ier iest ish able est', { isDerivation: true, doubles: true }),
  ...endings('er ers ings in y ish able est', { isDerivation: true, strip: 'e' }),
]
