import { type Ending, endings } from '../language.ts'

export const frenchEndings: readonly Ending[] = [
  ...endings('s'),
  ...endings('se ses', { strip: 'x' }),
  ...endings('e es', { after: 'é' }),
  ...endings('ent ez é ée és ées ait ais aient', { strip: 'er' }),
  // In the dictionary these are often other words: bander and bande, cul and culasse.
  ...endings('e es', { isDerivation: true, doubles: true }),
  ...endings('x', { isDerivation: true, after: 'u' }),
  ...endings('e es a ons ant era eur eurs euse euses age', { isDerivation: true, strip: 'er' }),
  ...endings('asse asses ard arde ards', { isDerivation: true, doubles: true }),
  ...endings('asse asses ard arde ards', { isDerivation: true, strip: 'e' }),
]
