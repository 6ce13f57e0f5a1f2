import { englishVulgarWords } from '../../src/filter/words/english/vulgar.ts'
import { type Dictionary, isPlural, plainLetters } from './dictionary.ts'

const american = (size: string) => `wamerican-${size}/usr/share/dict/american-english-${size}`
const british = (size: string) => `wbritish-${size}/usr/share/dict/british-english-${size}`

/** All American and British words of SCOWL up to size 70, and the names up to size 80. */
export const englishDictionary: Dictionary = {
  name: 'english',
  vulgarWords: englishVulgarWords,
  read(source) {
    const words = [american('large'), british('large')].flatMap(source.lines).map(plainLetters)
    const names = [american('huge'), british('huge')]
      .flatMap(source.lines)
      .filter((name) => /^\p{Lu}\p{Ll}+$/u.test(name))
      .map(plainLetters)
    const known = new Set([...words, ...names])
    return [...words, ...names.filter((name) => !isPlural(name, known))]
  },
  letters: /^[a-z]+$/,
}
