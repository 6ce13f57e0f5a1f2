const MAX_DEPTH = 32
const MAX_KEYS = 1000

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COLON = 0x3a

/** Whether JSON text is within the limits of depth and keys. Scans the text without parsing it. */
export function isBounded(text: string): boolean {
  let depth = 0
  let keys = 0
  for (let index = 0; index < text.length; index++) {
    switch (text.charCodeAt(index)) {
      case QUOTE:
        index = endOfString(text, index)
        break
      case COLON:
        if (++keys > MAX_KEYS) return false
        break
      case 0x5b: // [
      case 0x7b: // {
        if (++depth > MAX_DEPTH) return false
        break
      case 0x5d: // ]
      case 0x7d: // }
        depth--
        break
    }
  }
  return true
}

function endOfString(text: string, start: number): number {
  for (let index = start + 1; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit === QUOTE) return index
    if (unit === BACKSLASH) index++
  }
  return text.length
}
