import { type Ending, endings } from '../language.ts'

export const polishEndings: readonly Ending[] = [
  ...endings('a u em ie y i owi ów om ami ach e', { after: 'bcćdfghjklłmnńprsśtwzźż' }),
  ...endings('y i ę ą o ie om ami ach', { strip: 'a' }),
  ...endings('a u em ie om ami ach', { strip: 'o' }),
  ...endings('a e ego emu ym ej ą ych ymi i o', { strip: 'y' }),
  ...endings('ł ła li ły ny na', { strip: 'ć' }),
  ...endings('j', { isDerivation: true, strip: 'ć' }),
  ...endings('ek ki ka', { isDerivation: true, after: 'bcdfghjklłmnprstwz' }),
]
