import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { median } from './measure.mjs';

/**
 * Runs commands (`[file, ...arguments]`) in turn, so that whatever else the machine does meets all of them alike:
 * the median wall time in ms and the peak memory in MiB of each. One round more than asked for comes first.
 */
export async function inTurn(commands, rounds) {
  const times = commands.map(() => []);
  for (let round = -1; round < rounds; round++) {
    for (const [index, command] of commands.entries()) {
      const start = performance.now();
      await finished(started(command), command);
      if (round >= 0) times[index].push(performance.now() - start);
    }
  }
  const results = [];
  for (const [index, command] of commands.entries()) {
    results.push({ time: median(times[index]), peak: await peakOf(command) });
  }
  return results;
}

const started = ([file, ...args]) => spawn(file, args, { stdio: ['ignore', 'ignore', 'pipe'] });

function finished(child, command) {
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`${command.join(' ')} failed with ${code}: ${stderr}`)),
    );
  });
}

/** The kernel's own high-water mark, read every millisecond of a run that is not timed. Linux only. */
async function peakOf(command) {
  const child = started(command);
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, highWaterMark(child.pid));
  }, 1);
  await finished(child, command);
  clearInterval(timer);
  return peak;
}

function highWaterMark(pid) {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}
