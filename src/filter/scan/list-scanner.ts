import type { CompiledList } from '../compiled.ts'
import { isNormalized, normalize, type Reading } from '../unicode/normalize.ts'
import { Verifier } from '../verify/verifier.ts'
import { CensoredWords } from './censored-words.ts'
import { HangulGaps } from './hangul-gaps.ts'
import { Literals } from './literals.ts'
import { type Match, Pass, Rule } from './match.ts'
import { Scanner } from './scanner.ts'
import { SignReadings } from './sign-readings.ts'
import { SpelledOutWords } from './spelled-out-words.ts'
import { tokensAt } from './tokens.ts'

const NONE: readonly Match[] = []
/** Reverses the text after it, up to the control character that ends it. */
const [RIGHT_TO_LEFT_OVERRIDE, POP] = ['\u202e', '\u202c']

/** Finds the expressions of one list in a text. */
export class ListScanner {
  readonly #scanner: Scanner
  readonly #spelledOut: SpelledOutWords
  readonly #signs: SignReadings
  readonly #censored: CensoredWords
  readonly #gaps: HangulGaps

  constructor(compiled: CompiledList) {
    const verifier = new Verifier(compiled)
    this.#scanner = new Scanner(compiled, verifier, new Literals(compiled))
    this.#spelledOut = new SpelledOutWords(compiled, verifier, this.#scanner)
    this.#signs = new SignReadings(this.#scanner)
    this.#censored = new CensoredWords(compiled, verifier, this.#scanner)
    this.#gaps = new HangulGaps(compiled, this.#scanner)
  }

  /** Unresolved matches, valid until the next scan. */
  scan(text: string): readonly Match[] {
    this.#scanner.reset()
    const passes = this.#scanner.scan(text)
    if (passes === Pass.normalize) return this.#scanNormalized(text)
    if (passes !== 0) this.#scanFurther(text, passes)
    return this.#scanner.matches.length === 0 ? NONE : this.#scanner.matches
  }

  #scanNormalized(text: string): readonly Match[] {
    if (isNormalized(text)) {
      this.#scanner.reset()
      this.#scanFurther(text, this.#scanner.scan(text, true))
      return this.#scanner.matches
    }
    const matches = this.#scanReading(normalize(text))
    if (!text.includes(RIGHT_TO_LEFT_OVERRIDE)) return matches
    return [...matches, ...this.#scanReading(normalize(text.replaceAll(RIGHT_TO_LEFT_OVERRIDE, POP)))]
  }

  #scanReading(reading: Reading): readonly Match[] {
    this.#scanner.reset()
    this.#scanFurther(reading.text, this.#scanner.scan(reading.text, true))
    return this.#scanner.matches.map((match) => toSource(match, reading))
  }

  #scanFurther(text: string, passes: number): void {
    if ((passes & Pass.signs) !== 0) {
      const tokens = tokensAt(text, this.#scanner.signs)
      this.#signs.find(text, tokens)
      this.#censored.find(text, tokens)
    }
    if ((passes & Pass.spelledOut) !== 0) this.#spelledOut.find(text)
    if ((passes & Pass.gaps) !== 0) this.#gaps.find(text)
  }
}

/** The span in the source text. A match that the source shows in another form is disguised. */
function toSource({ start, end, pattern, rule }: Match, { starts, ends }: Reading): Match {
  let from = starts[start] ?? 0
  let to = from
  let visible = 0
  for (let at = start; at < end; at++) {
    from = Math.min(from, starts[at] ?? from)
    to = Math.max(to, ends[at] ?? to)
    visible++
  }
  return {
    start: from,
    end: to,
    pattern,
    rule: rule < Rule.disguise && to - from !== visible ? Rule.disguise : rule,
  }
}
