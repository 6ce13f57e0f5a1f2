import type { SettingValues } from '../config/sources.ts'
import { flagOf, type SettingName, settingNames, settingOf } from '../settings.ts'

/** Renders the effective settings as a file for PARLEY_CONFIG. Secrets are omitted. */
export function renderConfigFile(values: SettingValues): string {
  const shown = settingNames.filter((name) => !settingOf(name).secret)
  const entries = shown.map((name) => [flagOf(name), toJson(values[name].text)])
  return JSON.stringify(Object.fromEntries(entries), undefined, 2)
}

const toJson = (text: string) =>
  String(Number(text)) === text && Number.isSafeInteger(Number(text)) ? Number(text) : text

/** One line for each setting that is not at its default, and one for the rest. */
export function describeSources(values: SettingValues): string[] {
  const given = settingNames.filter((name) => values[name].source !== undefined)
  const width = Math.max(0, ...given.map((name) => flagOf(name).length))
  const describe = (name: SettingName) =>
    `${flagOf(name).padEnd(width)}  from ${values[name].source}${settingOf(name).secret ? ', not shown' : ''}`
  return [
    ...given.map(describe),
    given.length === 0 ? 'All settings are at their defaults.' : 'All other settings are at their defaults.',
  ]
}
