import { type Ending, endings } from '../language.ts'

export const russianEndings: readonly Ending[] = [
  ...endings('а у ом е ы и ов ам ами ах', { after: 'бвгджзклмнпрстфхцчшщ' }),
  ...endings('ы и е у ой ам ами ах', { strip: 'а' }),
  ...endings('а у ом е ам ами ах', { strip: 'о' }),
  ...endings('я ю ем е и', { strip: 'й' }),
  ...endings('и ей ю', { strip: 'я' }),
  ...endings('и ей ю', { strip: 'ь' }),
  ...endings('ая ое ые ого ому ым ом ой ую ых ыми о', { strip: 'ый' }),
  ...endings('л ла ло ли ет', { strip: 'ть' }),
  ...endings('ит', { strip: 'ить' }),
]
