import { type Ending, endings } from '../language.ts'

export const portugueseEndings: readonly Ending[] = [
  ...endings('s', { after: 'aeiouãáéíóúêô' }),
  ...endings('es', { after: 'rszn' }),
  ...endings('ões onas', { strip: 'ão' }),
  ...endings('ada adas', { strip: 'ado' }),
  ...endings('ida idas', { strip: 'ido' }),
  ...endings('am ando ado ados adas ei ou', { strip: 'ar' }),
  ...endings('em eu endo', { strip: 'er' }),
  // In the dictionary these are often other words: bicha and bicho, comer and comida.
  ...endings('a as os', { isDerivation: true, strip: 'o' }),
  ...endings('o os', { isDerivation: true, strip: 'a' }),
  ...endings('ona', { isDerivation: true, strip: 'ão' }),
  ...endings('o a as e ada', { isDerivation: true, strip: 'ar' }),
  ...endings('o e ido ida', { isDerivation: true, strip: 'er' }),
  ...endings('inho inha inhos inhas ão', { isDerivation: true, strip: 'o' }),
  ...endings('inho inha inhos inhas ão', { isDerivation: true, strip: 'a' }),
]
