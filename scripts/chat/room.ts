import type { Channel, ChannelRef, Message, ParleyClient, Player } from '../../client/src/index.ts'
import { describeCompany } from './format.ts'

/** Messages of other players kept for /report. */
const MAX_LINES = 200

/** The player's channel, as shown in the terminal. */
export class Room {
  readonly #tell: (line: string) => void
  #lines: Message[] = []
  #channel: ChannelRef | undefined
  /** Set once the player is connected. */
  self: Player = { gamerId: '', gamerName: '' }

  constructor(client: ParleyClient, tell: (line: string) => void) {
    this.#tell = tell
    client.on('message', (message) => this.#showMessage(message))
    client.on('messageDeleted', ({ messageId }) => this.#removeMessage(messageId))
    client.on('playerJoined', (player) => this.#showJoin(player))
    client.on('playerLeft', (player) => this.#showLeave(player))
    client.on('moved', ({ to }) => this.enter(to))
    client.on('resumed', (channel) => this.#resume(channel))
    client.on('channelDeleted', ({ channelName }) => this.leave(`* The channel ${channelName} was deleted`))
    client.on('gap', ({ reason }) =>
      reason === 'lost'
        ? this.leave('! You lost your seat in the channel')
        : tell('! Messages may be missing here'),
    )
  }

  get channel(): ChannelRef | undefined {
    return this.#channel
  }

  enter(channel: Channel): void {
    this.#lines = []
    this.#channel = channel
    for (const message of channel.messages) this.#showMessage(message)
    const { channelGroup, channelName, channelId } = channel
    const company = describeCompany(channel.playerCount - 1)
    this.#tell(`* You are ${this.self.gamerName} in ${channelGroup}/${channelName} #${channelId}, ${company}`)
  }

  leave(line: string): void {
    this.#channel = undefined
    this.#tell(line)
  }

  /** Returns the Nth latest message of another player; 1 is the latest. */
  findLine(fromBottom: number): Message | undefined {
    return this.#lines.at(-fromBottom)
  }

  #resume(channel: Channel): void {
    this.#channel = channel
    this.#tell(`* Back in ${channel.channelGroup}/${channel.channelName} #${channel.channelId}`)
  }

  #showMessage(message: Message): void {
    if (!message.system && message.gamerId !== this.self.gamerId) {
      this.#lines.push(message)
      if (this.#lines.length > MAX_LINES) this.#lines.shift()
    }
    this.#tell(message.system ? `* ${message.message}` : `${message.gamerName}: ${message.message}`)
  }

  #removeMessage(messageId: string): void {
    const deleted = this.#lines.find((line) => line.messageId === messageId)
    this.#lines = this.#lines.filter((line) => line !== deleted)
    this.#tell(
      deleted === undefined
        ? '* A message was deleted'
        : `* Deleted: ${deleted.gamerName}: ${deleted.message}`,
    )
  }

  #showJoin({ gamerId, gamerName }: Player): void {
    if (gamerId !== this.self.gamerId) this.#tell(`* ${gamerName} joined`)
  }

  #showLeave({ gamerName }: Player): void {
    this.#tell(`* ${gamerName} left`)
  }
}
