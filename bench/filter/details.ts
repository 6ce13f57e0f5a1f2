import { writeFileSync } from 'node:fs'
import { Random } from '../../test/filter/random.ts'

const SAMPLES = 40

/** Errors of the engine, to look at and to tune it with. */
export class Details {
  readonly #sections: string[] = []

  /** A sample of the lines. */
  add(title: string, lines: readonly string[]): void {
    this.#addSection(title, lines.length, new Random(1).sample(lines, SAMPLES))
  }

  addAll(title: string, lines: readonly string[]): void {
    this.#addSection(title, lines.length, lines)
  }

  write(file: string): void {
    writeFileSync(file, this.#sections.join('\n'))
  }

  #addSection(title: string, count: number, lines: readonly string[]): void {
    this.#sections.push([`# ${title}: ${count}`, ...lines, ''].join('\n'))
  }
}
