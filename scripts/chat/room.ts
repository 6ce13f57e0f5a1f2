import type { Channel, Message, ParleyClient, Place, Player } from '../../client/src/index.ts'
import { describeCompany } from './format.ts'

/** Lines of others that can be reported. */
const MAX_LINES = 200

/** The channel that the player is in, as the terminal shows it. */
export class Room {
  readonly #tell: (line: string) => void
  #lines: Message[] = []
  #place: Place | undefined
  /** Set once the player is connected. */
  self: Player = { gamerId: '', gamerName: '' }

  constructor(client: ParleyClient, tell: (line: string) => void) {
    this.#tell = tell
    client.on('message', (message) => this.#show(message))
    client.on('messageDeleted', ({ messageId }) => this.#forget(messageId))
    client.on('playerJoined', (player) => this.#come(player))
    client.on('playerLeft', (player) => this.#go(player))
    client.on('moved', ({ to }) => this.enter(to))
    client.on('resumed', (channel) => this.#return(channel))
    client.on('channelDeleted', ({ channelName }) => this.leave(`* The channel ${channelName} was deleted`))
    client.on('gap', ({ reason }) =>
      reason === 'lost' ? this.leave('! Your seat is gone') : tell('! Messages may be missing here'),
    )
  }

  get place(): Place | undefined {
    return this.#place
  }

  enter(channel: Channel): void {
    this.#lines = []
    this.#place = channel
    for (const message of channel.messages) this.#show(message)
    const { channelGroup, channelName, channelId } = channel
    const company = describeCompany(channel.playerCount - 1)
    this.#tell(`* You are ${this.self.gamerName} in ${channelGroup}/${channelName} ${channelId}, ${company}`)
  }

  leave(line: string): void {
    this.#place = undefined
    this.#tell(line)
  }

  /** The line of another player that is so many from the bottom, the newest being 1. */
  findLine(fromBottom: number): Message | undefined {
    return this.#lines.at(-fromBottom)
  }

  #return(channel: Channel): void {
    this.#place = channel
    this.#tell(`* Back in ${channel.channelGroup}/${channel.channelName} ${channel.channelId}`)
  }

  #show(message: Message): void {
    if (!message.system && message.gamerId !== this.self.gamerId) {
      this.#lines.push(message)
      if (this.#lines.length > MAX_LINES) this.#lines.shift()
    }
    this.#tell(message.system ? `* ${message.message}` : `${message.gamerName}: ${message.message}`)
  }

  #forget(messageId: string): void {
    const deleted = this.#lines.find((line) => line.messageId === messageId)
    this.#lines = this.#lines.filter((line) => line !== deleted)
    this.#tell(
      deleted === undefined
        ? '* A message was deleted'
        : `* Deleted: ${deleted.gamerName}: ${deleted.message}`,
    )
  }

  #come({ gamerId, gamerName }: Player): void {
    if (gamerId !== this.self.gamerId) this.#tell(`* ${gamerName} joined`)
  }

  #go({ gamerName }: Player): void {
    this.#tell(`* ${gamerName} left`)
  }
}
