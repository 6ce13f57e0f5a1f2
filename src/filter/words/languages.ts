import { danishEndings } from './danish/endings.ts'
import { danishVulgarWords } from './danish/vulgar.ts'
import { danishWords } from './danish/words.ts'
import { dutchEndings } from './dutch/endings.ts'
import { dutchVulgarWords } from './dutch/vulgar.ts'
import { dutchWords } from './dutch/words.ts'
import { englishChatWords } from './english/chat-words.ts'
import { englishEndings } from './english/endings.ts'
import { englishVulgarWords } from './english/vulgar.ts'
import { englishWords } from './english/words.ts'
import { frenchEndings } from './french/endings.ts'
import { frenchVulgarWords } from './french/vulgar.ts'
import { frenchWords } from './french/words.ts'
import type { Ending, Language } from './language.ts'
import { baseLanguageOf } from './own-letters.ts'
import { type PackedWords, unpackWords } from './packed-words.ts'
import { polishEndings } from './polish/endings.ts'
import { polishVulgarWords } from './polish/vulgar.ts'
import { polishWords } from './polish/words.ts'
import { portugueseEndings } from './portuguese/endings.ts'
import { portugueseVulgarWords } from './portuguese/vulgar.ts'
import { portugueseWords } from './portuguese/words.ts'
import { russianEndings } from './russian/endings.ts'
import { russianVulgarWords } from './russian/vulgar.ts'
import { russianWords } from './russian/words.ts'
import { spanishEndings } from './spanish/endings.ts'
import { spanishVulgarWords } from './spanish/vulgar.ts'
import { spanishWords } from './spanish/words.ts'
import { turkishEndings } from './turkish/endings.ts'
import { turkishVulgarWords } from './turkish/vulgar.ts'
import { turkishWords } from './turkish/words.ts'

export type { Ending, Language } from './language.ts'
export { ownLettersOf } from './own-letters.ts'

const define = (
  code: string,
  words: PackedWords,
  vulgarWords: readonly string[],
  endings: readonly Ending[],
  chatWords: readonly string[] = [],
): Language => ({ code, innocentWords: () => unpackWords(words), chatWords, vulgarWords, endings })

const LANGUAGES: ReadonlyMap<string, Language> = new Map(
  [
    define('da', danishWords, danishVulgarWords, danishEndings),
    define('nl', dutchWords, dutchVulgarWords, dutchEndings),
    define('en', englishWords, englishVulgarWords, englishEndings, englishChatWords),
    define('fr', frenchWords, frenchVulgarWords, frenchEndings),
    define('pl', polishWords, polishVulgarWords, polishEndings),
    define('pt', portugueseWords, portugueseVulgarWords, portugueseEndings),
    define('ru', russianWords, russianVulgarWords, russianEndings),
    define('es', spanishWords, spanishVulgarWords, spanishEndings),
    define('tr', turkishWords, turkishVulgarWords, turkishEndings),
  ].map((language) => [language.code, language]),
)

/** The languages with words of their own. */
export const LANGUAGE_CODES: readonly string[] = [...LANGUAGES.keys()]

/** The language of a code, also of one with a region (en-GB); undefined if there are no words for it. */
export const languageOf = (code: string): Language | undefined => LANGUAGES.get(baseLanguageOf(code))
