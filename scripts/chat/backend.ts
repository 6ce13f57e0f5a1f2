/** Does what a game's backend does for a player: creates the channel and mints the token. */

import { readSecret } from '../../src/adapters/sqlite/data-folder.ts'
import type { Config } from '../../src/config.ts'

const INVALID_CREDENTIALS = 400_701
const CHANNEL_EXISTS = 400_202

/** The server rejects the master token; retrying does not help. */
export class InvalidTokenError extends Error {}

export class Backend {
  readonly #url: URL
  readonly #config: Config

  constructor(url: URL, config: Config) {
    this.#url = url
    this.#config = config
  }

  /** Succeeds if the channel exists, whatever its settings. */
  async createChannel(group: string, name: string): Promise<void> {
    await this.#call('PUT', '/open_channels', { channel_group: group, channel_name: name, is_default: true })
  }

  async mintToken(name: string, language: string): Promise<string> {
    const body = { gamer_id: name.toLowerCase(), gamer_name: name, language }
    const { token } = await this.#call('POST', '/player_tokens', body)
    return token ?? ''
  }

  async #call(method: string, path: string, body: object): Promise<{ token?: string }> {
    const { masterTokens, dataDir } = this.#config
    // Read each time: the server may not have been started yet.
    const token = masterTokens[0] ?? readSecret(dataDir, 'master-token')
    if (token === undefined) throw new Error(`No master token in ${dataDir} yet: run "npm start"`)
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json; charset=utf8' }
    const response = await fetch(new URL(`/chat/v1${path}`, this.#url), {
      method,
      headers,
      body: JSON.stringify(body),
    }).catch(() => {
      throw new Error(`No server is running at ${this.#url.origin}: run "npm start" in another terminal`)
    })
    const result = JSON.parse(await response.text())
    if (response.ok || result.code === CHANNEL_EXISTS) return result
    if (result.code === INVALID_CREDENTIALS)
      throw new InvalidTokenError(`The server at ${this.#url.origin} rejects the master token in ${dataDir}.`)
    throw new Error(`${method} ${path}: ${result.message}`)
  }
}
