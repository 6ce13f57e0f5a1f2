/** The runtime reports malformed JSON without a position, which operators need to fix a file. */

const TOKEN =
  /[{}[\]:,]|"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/uy
const SPACE = /[ \t\r\n]*/y
/** The text quoted in the error. */
const WORD = /[\w.+-]+|./suy
const MAX_DEPTH = 100

/** Returns `line 3, column 12: expected "," or "}", found "port"` for text that JSON.parse rejects. */
export function describeJsonError(text: string): string {
  try {
    const scanner = new Scanner(text)
    scanner.value(0)
    scanner.end()
    return 'not valid JSON'
  } catch (thrown) {
    if (thrown instanceof JsonSyntaxError) return thrown.message
    throw thrown
  }
}

class JsonSyntaxError extends Error {}

class Scanner {
  readonly #text: string
  #position = 0

  constructor(text: string) {
    this.#text = text
  }

  value(depth: number): void {
    const token = this.#take((found) => !/^[}\]:,]/.test(found), 'a value')
    if (depth > MAX_DEPTH) throw this.#syntaxError('less nesting')
    if (token === '{') this.#items('}', () => this.#member(depth))
    if (token === '[') this.#items(']', () => this.value(depth + 1))
  }

  end(): void {
    this.#skipSpace()
    if (this.#position < this.#text.length) throw this.#syntaxError('the end of the file')
  }

  #items(close: string, item: () => void): void {
    if (this.#peek() === close) return void this.#take(() => true, close)
    do item()
    while (this.#take((found) => found === ',' || found === close, `"," or "${close}"`) === ',')
  }

  #member(depth: number): void {
    this.#take((found) => found.startsWith('"'), 'a key in double quotes')
    this.#take((found) => found === ':', '":"')
    this.value(depth + 1)
  }

  #take(isExpected: (token: string) => boolean, expected: string): string {
    const token = this.#peek()
    if (token === undefined || !isExpected(token)) throw this.#syntaxError(expected)
    this.#position += token.length
    return token
  }

  #peek(): string | undefined {
    this.#skipSpace()
    return this.#match(TOKEN)
  }

  #skipSpace(): void {
    this.#position += this.#match(SPACE)?.length ?? 0
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#position
    return pattern.exec(this.#text)?.[0]
  }

  #syntaxError(expected: string): JsonSyntaxError {
    const lines = this.#text.slice(0, this.#position).split('\n')
    const found = this.#match(WORD)
    const shown = found === undefined ? 'the end of the file' : JSON.stringify(found.slice(0, 20))
    const column = [...(lines.at(-1) ?? '')].length + 1
    return new JsonSyntaxError(`line ${lines.length}, column ${column}: expected ${expected}, found ${shown}`)
  }
}
