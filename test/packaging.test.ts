import { describe, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { ROOT } from './support/process.ts'

const unit = readFileSync(path.join(ROOT, 'packaging', 'parley.service'), 'utf8')
const canVerify = Bun.which('systemd-analyze') !== null
if (!canVerify)
  process.stderr.write('packaging: systemd-analyze is not installed, the unit is not verified\n')

describe('the systemd unit', () => {
  test('is reproduced in the documentation', () => {
    expect(readFileSync(path.join(ROOT, 'docs', 'operating.md'), 'utf8')).toContain(
      `\`\`\`ini\n${unit}\`\`\``,
    )
  })

  test('runs as a dynamic user, restarts on failure, and can be enabled', () => {
    for (const line of [
      'DynamicUser=yes',
      'StateDirectory=parley',
      'Restart=on-failure',
      'LimitNOFILE=131072',
      'WantedBy=multi-user.target',
    ])
      expect(unit.split('\n')).toContain(line)
  })

  test.skipIf(!canVerify)('passes systemd-analyze verify', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'parley-unit-'))
    const file = path.join(folder, 'parley.service')
    writeFileSync(file, unit.replaceAll('/opt/parley/', `${ROOT}/`))
    const child = Bun.spawn(['systemd-analyze', 'verify', file], { stdout: 'pipe', stderr: 'pipe' })
    const said = await Promise.all([child.stdout.text(), child.stderr.text()])
    rmSync(folder, { recursive: true, force: true })
    expect(
      said
        .join('')
        .split('\n')
        .filter((line) => line.includes('parley.service')),
    ).toEqual([])
    expect(await child.exited).toBe(0)
  })
})
