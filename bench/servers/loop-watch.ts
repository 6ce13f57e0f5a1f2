/**
 * Preloaded into a server under test. Answers each message of the parent process with the longest time that the event
 * loop was held since the one before: by the clock, and by the processor time that the thread spent meanwhile. The two
 * differ where the machine gave the processor to somebody else, which no change of the server can mend.
 */
const INTERVAL_MS = 1

let longest = { wallMs: 0, cpuMs: 0 }
let last = performance.now()
let spent = process.threadCpuUsage()

setInterval(() => {
  const now = performance.now()
  const { user, system } = process.threadCpuUsage(spent)
  longest = {
    wallMs: Math.max(longest.wallMs, now - last - INTERVAL_MS),
    cpuMs: Math.max(longest.cpuMs, (user + system) / 1000),
  }
  last = now
  spent = process.threadCpuUsage()
}, INTERVAL_MS)

process.on('message', () => {
  process.send?.(longest)
  longest = { wallMs: 0, cpuMs: 0 }
})
