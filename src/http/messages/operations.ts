import { readKey } from '../channels/wire.ts'
import { type Operation, type OperationDependencies, operation } from '../operation.ts'
import { createMessageInputs, message } from './schemas.ts'
import { renderMessage } from './wire.ts'

const EXAMPLE_SYSTEM_MESSAGE = {
  channel_type: 1,
  channel_group: 'global',
  channel_name: 'server-1',
  channel_id: 1,
  message: 'The server restarts in ten minutes.',
}

const EXAMPLE_MESSAGE = {
  message_id: '9a1e5d0c-3b7f-4e21-8c55-2f60d1a7b9e4',
  channel_group: 'global',
  channel_name: 'server-1',
  channel_id: 1,
  gamer_id: '1234',
  gamer_name: 'Mina',
  message: 'me, **** it',
  original: 'me, darn it',
  time: '2026-11-15T03:00:04Z',
  deleted: true,
}

export function messageOperations({ limits }: OperationDependencies): readonly Operation[] {
  const inputs = createMessageInputs(limits)
  return [
    operation({
      id: 'sendSystemMessage',
      method: 'POST',
      path: '/system_message',
      tag: 'Messages',
      summary: 'Send system message',
      description:
        'Sends a message to the members of one channel number, or of all numbers of a channel. It is not filtered; leading and ' +
        'trailing white space is removed.',
      role: 'moderator',
      input: inputs.systemMessage,
      output: { schema: inputs.systemMessage, isList: false },
      errors: ['channel-not-found'],
      example: { input: EXAMPLE_SYSTEM_MESSAGE, output: EXAMPLE_SYSTEM_MESSAGE },
      handle: async ({ app, input, context }) => {
        const number = input.channel_id === 0 ? undefined : input.channel_id
        await app.chat.sendSystemMessage({ channel: readKey(input), number, text: input.message }, context)
        return { value: input }
      },
    }),
    operation({
      id: 'deleteMessage',
      method: 'DELETE',
      path: '/messages/{message_id}',
      tag: 'Messages',
      summary: 'Delete a message',
      description:
        'Deletes a message for players: clients that have it are told to remove it, and it is not delivered again. The log ' +
        'keeps it and the response returns it. A repeated request has the same result.',
      role: 'moderator',
      input: inputs.key,
      output: { schema: message, isList: false },
      errors: ['message-not-found'],
      example: { input: { message_id: EXAMPLE_MESSAGE.message_id }, output: EXAMPLE_MESSAGE },
      handle: async ({ app, input, context }) => ({
        value: renderMessage(await app.chat.deleteMessage(input.message_id, context)),
      }),
    }),
  ]
}
