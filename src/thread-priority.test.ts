import { expect, test } from 'bun:test'
import { getPriority } from 'node:os'

const MODULE = new URL('./thread-priority.ts', import.meta.url).href

/** Lowers the priority of a worker several times. Returns its niceness after each. */
async function lowerInWorker(times: number): Promise<number[]> {
  const source = `
    import { getPriority } from 'node:os'
    import { readlinkSync } from 'node:fs'
    import { lowerThreadPriority } from '${MODULE}'
    const threadId = Number(readlinkSync('/proc/thread-self').split('/').at(-1))
    const niceness = []
    for (let n = 0; n < ${times}; n++) {
      lowerThreadPriority()
      niceness.push(getPriority(threadId))
    }
    postMessage(niceness)`
  const worker = new Worker(URL.createObjectURL(new Blob([source], { type: 'text/javascript' })))
  try {
    return await new Promise((resolve, reject) => {
      worker.onmessage = ({ data }) => resolve(data)
      worker.onerror = ({ message }) => reject(new Error(message))
    })
  } finally {
    worker.terminate()
  }
}

test.if(process.platform === 'linux')(
  'lowers the priority of a worker, once, below the main thread',
  async () => {
    const main = getPriority(process.pid)
    const lowered = Math.min(main + 10, 19)
    expect(await lowerInWorker(2)).toEqual([lowered, lowered])
    expect(getPriority(process.pid)).toBe(main)
  },
)
