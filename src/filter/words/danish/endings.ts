import { type Ending, endings } from '../language.ts'

export const danishEndings: readonly Ending[] = [
  ...endings('s'),
  ...endings('e en et er ene erne', { doubles: true }),
  ...endings('ens ets ernes', { doubles: true }),
  ...endings('n r rne ns', { after: 'e' }),
  ...endings('ede et er ende', { strip: 'e' }),
  // In the dictionary these are other words: pis and pist, røv and røveri.
  ...endings('t', { isDerivation: true }),
  ...endings('ere eri', { isDerivation: true, doubles: true }),
]
