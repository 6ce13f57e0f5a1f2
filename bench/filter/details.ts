import { writeFileSync } from 'node:fs'
import { Random } from '../../test/filter/random.ts'
import type { Parley } from './engine.ts'

const SAMPLES = 40

/** Samples of errors, for tuning the engine. */
export class Details {
  readonly #sections: string[] = []

  add(title: string, texts: readonly string[], engine: Parley): void {
    const samples = new Random(1).sample(texts, SAMPLES).map((text) => {
      const explanation = engine.explain(text)
      return explanation === '' ? JSON.stringify(text) : `${JSON.stringify(text)} <- ${explanation}`
    })
    this.#sections.push([`# ${title}: ${texts.length}`, ...samples, ''].join('\n'))
  }

  write(file: string): void {
    writeFileSync(file, this.#sections.join('\n'))
  }
}
