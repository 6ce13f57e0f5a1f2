import { type Ending, endings } from '../language.ts'

export const turkishEndings: readonly Ending[] = [
  ...endings('lar ler ları leri lara lere'),
  ...endings('ı i u ü a e ın in un ün ım im um üm', { after: 'bcçdfgğhjklmnprsştvyz' }),
  ...endings('da de dan den ta te'),
  ...endings('yı yi yu yü', { after: 'aeıioöuü' }),
  ...endings('nın', { after: 'aeıioöuü' }),
]
