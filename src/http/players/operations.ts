import { type Operation, type OperationDependencies, operation } from '../operation.ts'
import { createPlayerInputs, playerToken } from './schemas.ts'
import { renderMintedToken } from './wire.ts'

export function playerOperations({ limits }: OperationDependencies): readonly Operation[] {
  const inputs = createPlayerInputs(limits)
  return [
    operation({
      id: 'mintPlayerToken',
      method: 'POST',
      path: '/player_tokens',
      tag: 'Players',
      summary: 'Mint a player token',
      description:
        'Signs a token for a player to connect with, for backends that do not sign tokens themselves. A repeated request returns a new token.',
      role: 'operator',
      input: inputs.token,
      output: { schema: playerToken, isList: false },
      isSecret: true,
      ignoresKey: true,
      errors: [],
      example: {
        input: { gamer_id: '1234', gamer_name: 'Mina', language: 'ko-kr', expires_in: 3600 },
        output: { token: 'eyJhbGciOiJIUzI1NiJ9.…', expires_at: '2026-11-15T04:00:00Z' },
      },
      handle: async ({ app, input }) => ({
        value: renderMintedToken(
          await app.tokens.mint({
            player: { id: input.gamer_id, name: input.gamer_name },
            language: input.language,
            expiresInSeconds: input.expires_in,
          }),
        ),
      }),
    }),
  ]
}
