import { existsSync, readFileSync } from 'node:fs'
import { decode } from './encoding.ts'

/** A stem of an agglutinative language has thousands of forms; evenly spaced rules stand for all. */
const FORMS_PER_STEM = 20

interface Affix {
  readonly isPrefix: boolean
  readonly strip: string
  readonly add: string
  readonly condition: RegExp
}

/** The words of a Hunspell dictionary, each with up to 20 of its forms: one prefix or suffix at a time. */
export function readHunspell(dictionary: string): string[] {
  const rules = `${dictionary.slice(0, -'.dic'.length)}.aff`
  if (!existsSync(rules)) return []
  const bytes = readFileSync(rules)
  const encoding = /^SET\s+(\S+)/m.exec(bytes.toString('latin1'))?.[1]
  const affixes = new Affixes(decode(bytes, encoding))
  const entries = decode(readFileSync(dictionary), encoding).split(/\r?\n/).slice(1)
  return entries.flatMap((entry) => affixes.formsOf(entry)).map((form) => form.normalize('NFC'))
}

class Affixes {
  readonly #byFlag = new Map<string, Affix[]>()
  readonly #aliases: readonly string[]
  readonly #flagFormat: string

  constructor(rules: string) {
    this.#flagFormat = /^FLAG\s+(\S+)/m.exec(rules)?.[1] ?? 'short'
    const lines = rules.split(/\r?\n/).map((line) => line.trim().split(/\s+/))
    this.#aliases = lines.filter(([key]) => key === 'AF').map(([, flags = '']) => flags)
    for (const [key, flag = '', strip = '', addition = '', condition = '.'] of lines) {
      if ((key !== 'SFX' && key !== 'PFX') || addition === '' || /^\d+$/.test(addition)) continue
      const affix = toAffix(key === 'PFX', strip, addition, condition)
      if (affix !== undefined) this.#byFlag.set(flag, [...(this.#byFlag.get(flag) ?? []), affix])
    }
  }

  formsOf(entry: string): string[] {
    const [word = '', flags = ''] = (entry.split(/[\t ]/)[0] ?? '').split(/(?<=[^\\])\//)
    if (word === '') return []
    const affixes = this.#flagsOf(flags).flatMap((flag) => this.#byFlag.get(flag) ?? [])
    const step = Math.max(1, Math.ceil(affixes.length / FORMS_PER_STEM))
    const sample = affixes.filter((_, index) => index % step === 0)
    return [
      word,
      ...sample.filter(({ condition }) => condition.test(word)).map((affix) => apply(affix, word)),
    ]
  }

  #flagsOf(written: string): string[] {
    const alias =
      this.#aliases.length > 0 && /^\d+$/.test(written) ? this.#aliases[Number(written)] : undefined
    const flags = alias ?? written
    if (this.#flagFormat === 'num') return flags.split(',')
    return this.#flagFormat === 'long' ? (flags.match(/../gsu) ?? []) : Array.from(flags)
  }
}

function toAffix(isPrefix: boolean, strip: string, addition: string, condition: string): Affix | undefined {
  const add = addition.replace(/\/.*$/, '')
  try {
    return {
      isPrefix,
      strip: strip === '0' ? '' : strip,
      add: add === '0' ? '' : add,
      condition: new RegExp(isPrefix ? `^${condition}` : `${condition}$`, 'u'),
    }
  } catch {
    return undefined
  }
}

const apply = ({ isPrefix, strip, add }: Affix, word: string) =>
  isPrefix ? add + word.slice(strip.length) : word.slice(0, word.length - strip.length) + add
