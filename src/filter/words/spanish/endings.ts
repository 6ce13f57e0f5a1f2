import { type Ending, endings } from '../language.ts'

export const spanishEndings: readonly Ending[] = [
  ...endings('s', { after: 'aeiouáéíóú' }),
  ...endings('es', { after: 'nrsldz' }),
  ...endings('ona ones onas', { strip: 'ón' }),
  ...endings('ada adas', { strip: 'ado' }),
  ...endings('ida idas', { strip: 'ido' }),
  ...endings('an ando ado ados adas ó', { strip: 'ar' }),
  ...endings('en iendo ió', { strip: 'er' }),
  ...endings('en iendo ió', { strip: 'ir' }),
  // In the dictionary these are often other words: polla and pollo, chupar and chupa, comer and comida.
  ...endings('a as os', { isDerivation: true, strip: 'o' }),
  ...endings('o os', { isDerivation: true, strip: 'a' }),
  ...endings('a as', { isDerivation: true, after: 'nrsl' }),
  ...endings('o a as e es ada', { isDerivation: true, strip: 'ar' }),
  ...endings('o e es ido ida', { isDerivation: true, strip: 'er' }),
  ...endings('o e es ido ida', { isDerivation: true, strip: 'ir' }),
  ...endings('ito ita itos itas azo ón', { isDerivation: true, strip: 'o' }),
  ...endings('ito ita itos itas azo ón', { isDerivation: true, strip: 'a' }),
]
