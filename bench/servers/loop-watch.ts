/**
 * Preloaded into a server under test. Replies to each message of the parent process with the longest event-loop stall since
 * the last one, in wall-clock time and in CPU time of the thread. The two differ when the operating system schedules other
 * processes, which the server cannot influence.
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
