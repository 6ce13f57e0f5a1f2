/** A word of a hunspell dictionary with all its forms, by the name of the rule that makes each. */
export interface Entry {
  readonly word: string
  readonly forms: ReadonlyMap<string, string>
}

interface Rule {
  readonly name: string
  readonly strip: string
  readonly add: string
  readonly condition: RegExp
}

interface Affixes {
  readonly splitFlags: (flags: string) => string[]
  readonly suffixes: ReadonlyMap<string, readonly Rule[]>
  /** Flags of entries that are no words, or only parts of compounds. */
  readonly excluded: ReadonlySet<string>
  /** Flag of entries that are no words without an ending. */
  readonly needsAffix: string | undefined
}

const EXCLUDING = new Set(['FORBIDDENWORD', 'ONLYINCOMPOUND'])

/** Reads a pair of .aff and .dic files. Prefixes and compounds are left out. */
export function readHunspell(aff: readonly string[], dic: readonly string[]): Entry[] {
  const affixes = readAffixes(aff)
  return dic.slice(1).flatMap((line) => readEntry(line, affixes) ?? [])
}

function readAffixes(lines: readonly string[]): Affixes {
  const suffixes = new Map<string, Rule[]>()
  const excluded = new Set<string>()
  let splitFlags = (flags: string) => [...flags]
  let needsAffix: string | undefined
  for (const line of lines) {
    const [keyword = '', flag = '', ...rest] = line.trim().split(/\s+/)
    if (keyword === 'FLAG') splitFlags = flagSplitter(flag)
    else if (keyword === 'NEEDAFFIX') needsAffix = flag
    else if (EXCLUDING.has(keyword)) excluded.add(flag)
    else if (keyword === 'SFX' && rest.length >= 3) {
      const rules = suffixes.get(flag) ?? []
      suffixes.set(flag, [...rules, readRule(rest)])
    }
  }
  return { splitFlags, suffixes, excluded, needsAffix }
}

function flagSplitter(kind: string): (flags: string) => string[] {
  if (kind === 'long') return (flags) => flags.match(/../gu) ?? []
  if (kind === 'num') return (flags) => flags.split(',')
  return (flags) => [...flags]
}

const readRule = ([strip = '', addition = '', condition = '.']: readonly string[]): Rule => {
  const add = (addition.split('/')[0] ?? '').replace(/^0$/, '')
  const stripped = strip.replace(/^0$/, '')
  return { name: `-${stripped} +${add}`, strip: stripped, add, condition: new RegExp(`${condition}$`, 'u') }
}

function readEntry(line: string, { splitFlags, suffixes, excluded, needsAffix }: Affixes): Entry | undefined {
  const [word = '', flagText = ''] = (line.split(/\s/)[0] ?? '').split('/')
  const flags = splitFlags(flagText)
  if (flags.some((flag) => excluded.has(flag))) return undefined
  const forms = new Map<string, string>()
  if (needsAffix === undefined || !flags.includes(needsAffix)) forms.set(word, '')
  for (const { name, strip, add, condition } of flags.flatMap((flag) => suffixes.get(flag) ?? [])) {
    const isFitting = word.endsWith(strip) && condition.test(word)
    const form = word.slice(0, word.length - strip.length) + add
    if (isFitting && !forms.has(form)) forms.set(form, name)
  }
  return { word, forms }
}
