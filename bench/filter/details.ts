import { writeFileSync } from 'node:fs'
import { Random } from '../../test/filter/random.ts'
import type { Parley } from './engine.ts'

const SAMPLES = 40

/** Samples of what went wrong, for whoever improves the engine. */
export class Details {
  readonly #sections: string[] = []

  add(title: string, texts: readonly string[], engine: Parley): void {
    const samples = new Random(1).sample(texts, SAMPLES).map((text) => {
      const why = engine.explain(text)
      return why === '' ? JSON.stringify(text) : `${JSON.stringify(text)} <- ${why}`
    })
    this.#sections.push([`# ${title}: ${texts.length}`, ...samples, ''].join('\n'))
  }

  write(file: string): void {
    writeFileSync(file, this.#sections.join('\n'))
  }
}
