import { parseArgs } from 'node:util'
import { version } from '../package.json' with { type: 'json' }
import { backupFolder } from './adapters/sqlite/backup.ts'
import { readSecret, secretPath } from './adapters/sqlite/data-folder.ts'
import { type Config, readConfig, type Sources } from './config.ts'
import { createLogger } from './log.ts'
import { startServer } from './server.ts'
import { flagOf, settingNames, settingOf } from './settings.ts'

/** What a command needs of the process. */
export interface Terminal {
  readonly env: Sources['env']
  readonly print: (line: string) => void
  /** Resolves at the first request to stop. */
  readonly stopRequested: Promise<string>
  readonly fail: (error: Error) => void
}

type Command = (config: Config, args: readonly string[], terminal: Terminal) => Promise<void> | void

const COMMANDS: Readonly<
  Record<string, { readonly usage: string; readonly about: string; readonly run: Command }>
> = {
  start: { usage: 'start', about: 'run the server', run: start },
  token: { usage: 'token', about: 'show the master token', run: showToken },
  'check-config': {
    usage: 'check-config',
    about: 'tell what the configuration is, or what is wrong with it',
    run: checkConfig,
  },
  backup: { usage: 'backup FOLDER', about: 'copy the data folder, also while the server runs', run: backup },
}

/** Runs `parley ARGS`. Throws an error with a message for people. */
export async function runCommand(argv: readonly string[], terminal: Terminal): Promise<void> {
  const { positionals, flags, wants } = readArguments(argv)
  const [name, ...args] = positionals
  if (wants.version) return terminal.print(version)
  if (name === undefined || wants.help) return terminal.print(usage())
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (command === undefined) throw new Error(`There is no command "${name}".\n\n${usage()}`)
  await command.run(readConfig({ flags, env: terminal.env }), args, terminal)
}

async function start(config: Config, _: readonly string[], terminal: Terminal): Promise<void> {
  const log = createLogger(config.logLevel).child({ node: config.nodeName })
  const server = await startServer(config, { log, onFailure: terminal.fail })
  const { href } = server.url
  if (server.newMasterToken !== undefined) {
    log.info(
      `Parley ${version} listens on ${href} The master token was made now: ${server.newMasterToken} ("parley token" shows it again)`,
    )
  } else log.info(`Parley ${version} listens on ${href} ${tokenHint(config)}`)
  const signal = await terminal.stopRequested
  log.info(`${signal}: stopping`)
  await server.stop()
  log.info('stopped')
}

const tokenHint = ({ masterTokens, dataDir }: Config) =>
  masterTokens.length > 0
    ? 'The master token is the configured one'
    : `The master token is in ${secretPath(dataDir, 'master-token')} ("parley token" shows it)`

function showToken({ masterTokens, dataDir }: Config, _: readonly string[], { print }: Terminal): void {
  const token = masterTokens[0] ?? readSecret(dataDir, 'master-token')
  if (token === undefined)
    throw new Error(`There is no master token in ${dataDir} yet: the first start makes it.`)
  print(token)
}

function checkConfig(config: Config, _: readonly string[], { print }: Terminal): void {
  const hidden = {
    masterTokens: config.masterTokens.map(() => '(hidden)'),
    playerSecret: config.playerSecret && '(hidden)',
  }
  print(JSON.stringify({ ...config, ...hidden }, undefined, 2))
}

function backup({ dataDir }: Config, [folder]: readonly string[], { print }: Terminal): void {
  if (folder === undefined) throw new Error('Name the folder that the copy goes to: parley backup FOLDER')
  backupFolder(dataDir, folder)
  print(`Copied ${dataDir} to ${folder}. To use the copy, start with --data-dir ${folder}`)
}

function readArguments(argv: readonly string[]) {
  const names = settingNames.filter((name) => !settingOf(name).secret)
  const options = Object.fromEntries(names.map((name) => [flagOf(name), { type: 'string' }] as const))
  const { values, positionals } = parseArgs({
    args: [...argv],
    options: { ...options, help: { type: 'boolean' }, version: { type: 'boolean' } },
    allowPositionals: true,
  })
  const given = values as Readonly<Record<string, string | boolean | undefined>>
  const flags = Object.fromEntries(
    names.flatMap((name) => {
      const value = given[flagOf(name)]
      return typeof value === 'string' ? [[name, value]] : []
    }),
  )
  return { positionals, flags, wants: { help: given['help'] === true, version: given['version'] === true } }
}

function usage(): string {
  const commands = Object.values(COMMANDS).map(({ usage, about }) => `  parley ${usage.padEnd(16)} ${about}`)
  const flags = settingNames
    .filter((name) => !settingOf(name).secret)
    .map((name) => `  --${flagOf(name).padEnd(24)} ${settingOf(name).about} (${settingOf(name).fallback})`)
  return [
    `Parley ${version}, a chat server for games with a management API.`,
    '',
    ...commands,
    '',
    'Settings are flags, or variables (PARLEY_HOST for --host), or keys of the JSON file that PARLEY_CONFIG names:',
    ...flags,
    '',
    'Secrets are variables only: PARLEY_MASTER_TOKEN, PARLEY_PLAYER_SECRET, or files by PARLEY_MASTER_TOKEN_FILE, PARLEY_PLAYER_SECRET_FILE.',
  ].join('\n')
}
