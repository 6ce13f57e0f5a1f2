import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { decode } from './encoding.ts'
import { readHunspell } from './hunspell.ts'

const DICTIONARIES = '/usr/share/dict'
const HUNSPELL = '/usr/share/hunspell'
const MANUALS = '/usr/share/man'

export interface WordSource {
  readonly name: string
  /** One word or one line of text each. */
  read(): readonly string[]
}

/** Names of the word lists (packages such as `wngerman`) and locales of a language; its code is always one of them. */
const NAMES: Readonly<
  Record<string, { readonly lists?: readonly string[]; readonly locales?: readonly string[] }>
> = {
  da: { lists: ['danish'] },
  de: { lists: ['ngerman'] },
  en: { lists: ['british-english', 'american-english'] },
  eo: { lists: ['esperanto'] },
  es: { lists: ['spanish'] },
  fil: { locales: ['tl'] },
  fr: { lists: ['french'] },
  it: { lists: ['italian'] },
  nl: { lists: ['dutch'] },
  no: { lists: ['bokmaal', 'nynorsk'], locales: ['nb', 'nn'] },
  pl: { lists: ['polish'] },
  pt: { lists: ['portuguese', 'brazilian'] },
  sv: { lists: ['swedish'] },
}

/** What Debian's packages of word lists, Hunspell dictionaries and translated manual pages have installed. */
export function findInstalledWords(language: string): WordSource[] {
  const { lists = [], locales = [] } = NAMES[language] ?? {}
  const isOfLanguage = (name: string) => [language, ...locales].includes(name.split(/[_.]/)[0] ?? '')
  const dictionaries = lists.map((name) => path.join(DICTIONARIES, name)).filter((file) => existsSync(file))
  const hunspell = new Set(
    entriesOf(HUNSPELL)
      .filter((name) => name.endsWith('.dic') && isOfLanguage(name))
      .map((name) => realpathSync(path.join(HUNSPELL, name))),
  )
  const manuals = entriesOf(MANUALS).filter(isOfLanguage)
  return [
    ...dictionaries.map((file) => ({ name: path.basename(file), read: () => readLines(file) })),
    ...[...hunspell].map((file) => ({ name: path.basename(file), read: () => readHunspell(file) })),
    ...manuals.map((name) => ({ name: `man/${name}`, read: () => readManuals(path.join(MANUALS, name)) })),
  ]
}

export const readLines = (file: string) => decode(readFileSync(file)).split(/\r?\n/)

const entriesOf = (folder: string) => (existsSync(folder) ? readdirSync(folder).sort() : [])

function readManuals(folder: string): string[] {
  const pages = entriesOf(folder).flatMap((section) =>
    entriesOf(path.join(folder, section))
      .filter((page) => page.endsWith('.gz'))
      .map((page) => path.join(folder, section, page)),
  )
  return pages.flatMap((page) =>
    decode(gunzipSync(readFileSync(page)))
      .split('\n')
      .flatMap(toPlainText),
  )
}

/** Without roff's requests and escapes; nothing of a comment or a request without text. */
function toPlainText(line: string): string[] {
  if (/^['.]\s*(?:\\"|TH|SH?Y|de|ie|el|if|nr|ds|so)\b/.test(line) || line.startsWith('.\\"')) return []
  const text = line
    .replace(/^['.]\s*[A-Za-z]{1,3}\b/, '')
    .replaceAll(/\\f(?:\[\w*\]|\(..|.)|\\s[+-]?\d+|\\[&%,/:c]/g, '')
    .replaceAll(/\\\[[^\]]*\]|\\\(..|\\./g, ' ')
  return /\p{L}/u.test(text) ? [text.trim()] : []
}
