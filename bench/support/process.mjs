import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { median } from './measure.mjs';

/**
 * Runs commands (`[file, ...arguments]`) in turn, so that other load affects all of them equally: returns the median
 * wall time in ms and the peak memory in MiB of each. One additional round comes first.
 */
export async function inTurn(commands, rounds) {
  const times = commands.map(() => []);
  for (let round = -1; round < rounds; round++) {
    for (const [index, command] of commands.entries()) {
      const { time } = await succeeded(command, execute(command));
      if (round >= 0) times[index].push(time);
    }
  }
  const results = [];
  for (const [index, command] of commands.entries()) {
    const { peak } = await succeeded(command, timeAndPeak(command));
    results.push({ time: median(times[index]), peak });
  }
  return results;
}

/** Measures one run with its memory, which adds some time: the kernel's high-water mark. Linux only. */
export async function timeAndPeak(command) {
  let peak = 0;
  const result = await execute(command, (pid) => {
    const timer = setInterval(() => {
      peak = Math.max(peak, highWaterMark(pid));
    }, 1);
    return () => clearInterval(timer);
  });
  return { ...result, peak };
}

async function succeeded(command, execution) {
  const result = await execution;
  if (result.code !== 0) throw new Error(`${command.join(' ')} failed with ${result.code}: ${result.stderr}`);
  return result;
}

/**
 * Returns the exit code, or the signal, and the wall time in ms; `watch` may observe the process, and returns a
 * function that stops it.
 */
function execute([file, ...args], watch = () => () => undefined) {
  const start = performance.now();
  const child = spawn(file, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const stop = watch(child.pid);
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    if (stderr.length < 1000) stderr += chunk;
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      stop();
      resolve({ code: code ?? signal, stderr, time: performance.now() - start });
    });
  });
}

function highWaterMark(pid) {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}
