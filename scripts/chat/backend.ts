/** What a game's backend would do for a player: make the channel, mint the token. */

import { readSecret } from '../../src/adapters/sqlite/data-folder.ts'
import type { Config } from '../../src/config.ts'

const CREDENTIALS = 400_701
const CHANNEL_EXISTS = 400_202

/** The server will not take the master token, and trying again would not help. */
export class InvalidTokenError extends Error {}

export class Backend {
  readonly #url: URL
  readonly #config: Config

  constructor(url: URL, config: Config) {
    this.#url = url
    this.#config = config
  }

  /** One that is there already, whatever its settings, will do. */
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
    // Read anew each time: the server's first start may still be to come.
    const token = masterTokens[0] ?? readSecret(dataDir, 'master-token')
    if (token === undefined) throw new Error(`There is no master token in ${dataDir} yet: run "npm start"`)
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json; charset=utf8' }
    const response = await fetch(new URL(`/chat/v1${path}`, this.#url), {
      method,
      headers,
      body: JSON.stringify(body),
    }).catch(() => {
      throw new Error(`No server answers at ${this.#url.origin}: run "npm start" in another terminal`)
    })
    const answer = JSON.parse(await response.text())
    if (response.ok || answer.code === CHANNEL_EXISTS) return answer
    if (answer.code === CREDENTIALS)
      throw new InvalidTokenError(
        `The server at ${this.#url.origin} does not take the master token of ${dataDir}.`,
      )
    throw new Error(`${method} ${path}: ${answer.message}`)
  }
}
