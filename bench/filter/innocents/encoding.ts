/** Labels of the encodings that Hunspell's dictionaries use. */
const LABELS = {
  'UTF-8': 'utf-8',
  'ISO8859-1': 'iso-8859-1',
  'ISO8859-2': 'iso-8859-2',
  'ISO8859-3': 'iso-8859-3',
  'ISO8859-15': 'iso-8859-15',
  'KOI8-R': 'koi8-r',
} as const

const isNamed = (encoding: string): encoding is keyof typeof LABELS => encoding in LABELS

/** Decodes a file whose encoding has Hunspell's name, or none: UTF-8, or Latin-1 if it isn't valid UTF-8. */
export function decode(bytes: Uint8Array, encoding = ''): string {
  if (isNamed(encoding)) return new TextDecoder(LABELS[encoding]).decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('iso-8859-1').decode(bytes)
  }
}
