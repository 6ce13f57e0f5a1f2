/** Client for the operations of the management API that the commands use. */

export interface ListEntry {
  readonly language: string
  readonly filters: readonly string[]
}

export interface ProfanityLists {
  readonly etag: string
  readonly lists: readonly ListEntry[]
}

export class ManagementClient {
  readonly #url: URL
  readonly #token: string

  constructor(url: URL, token: string) {
    this.#url = url
    this.#token = token
  }

  async profanityLists(): Promise<ProfanityLists> {
    const response = await this.#call('GET')
    const lists: readonly ListEntry[] = JSON.parse(await response.text())
    return { etag: response.headers.get('etag') ?? '', lists }
  }

  /** Returns false, and writes nothing, when the lists no longer match the ETag. */
  async putList(entry: ListEntry, etag: string): Promise<boolean> {
    const response = await this.#call('PUT', entry, { 'If-Match': etag })
    return response.status !== PRECONDITION_FAILED
  }

  async #call(method: string, body?: ListEntry, headers: Record<string, string> = {}): Promise<Response> {
    const response = await this.#fetch({
      method,
      headers: { Authorization: `Bearer ${this.#token}`, ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (response.ok || response.status === PRECONDITION_FAILED) return response
    throw new Error(
      `The server at ${this.#url.origin} rejected the request: ${await readErrorMessage(response)}`,
    )
  }

  async #fetch(request: RequestInit): Promise<Response> {
    try {
      return await fetch(new URL('/chat/v1/bad_word_list', this.#url), request)
    } catch (thrown) {
      throw new Error(
        `Cannot reach a server at ${this.#url.origin}. Start it, or specify another with --server URL.`,
        { cause: thrown },
      )
    }
  }
}

const PRECONDITION_FAILED = 412

async function readErrorMessage(response: Response): Promise<string> {
  const text = await response.text()
  try {
    return String(JSON.parse(text).message)
  } catch {
    return `HTTP ${response.status}`
  }
}
