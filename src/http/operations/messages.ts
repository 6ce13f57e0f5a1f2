import { type Ingredients, type Operation, operation } from '../operation.ts'
import { readKey } from '../wire.ts'

const EXAMPLE_SYSTEM_MESSAGE = {
  channel_type: 1,
  channel_group: 'global',
  channel_name: 'server-1',
  channel_id: 1,
  message: 'The server restarts in ten minutes.',
}

export const messageOperations = ({ inputs }: Ingredients): readonly Operation[] => [
  operation({
    id: 'sendSystemMessage',
    method: 'POST',
    path: '/system_message',
    tag: 'Messages',
    summary: 'Send system message',
    description: 'Tells the members of one channel number, or of all. Not filtered.',
    role: 'moderator',
    input: inputs.systemMessage,
    output: { schema: inputs.systemMessage, list: false },
    refuses: ['channel-unknown'],
    example: { input: EXAMPLE_SYSTEM_MESSAGE, output: EXAMPLE_SYSTEM_MESSAGE },
    handle: async ({ app, input, once }) => {
      const number = input.channel_id === 0 ? undefined : input.channel_id
      await app.chat.announce({ channel: readKey(input), number, text: input.message }, once)
      return { value: input }
    },
  }),
]
