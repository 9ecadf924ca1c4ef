import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fromPlain } from '../../src/api/plain.ts';
import { toJsonText } from '../../src/emit/json.ts';
import { parseJson } from '../../src/encoding/json.ts';
import type { Verdict } from './compare.ts';
import type { GeneratedPackage } from './packages.ts';

/** A judge that runs until it is closed. */
export interface Judge {
  ask(packages: readonly GeneratedPackage[]): Promise<Verdict[]>;
  close(): void;
}

/** Starts the judge; `command` is the program and its arguments. */
export function startJudge(command: readonly string[]): Judge {
  const [program = '', ...arguments_] = command;
  const child = spawn(program, arguments_, { stdio: ['pipe', 'pipe', 'inherit'] });
  const waiting: ((verdict: Verdict) => void)[] = [];
  const failed: ((cause: Error) => void)[] = [];
  createInterface({ input: child.stdout, crlfDelay: Number.POSITIVE_INFINITY }).on('line', (line) => {
    failed.shift();
    waiting.shift()?.(parseJson(line) as unknown as Verdict);
  });
  child.on('exit', (code) => {
    for (const reject of failed.splice(0)) reject(new Error(`the judge ended with ${code}`));
  });
  let count = 0;
  const one = (each: GeneratedPackage): Promise<Verdict> =>
    new Promise((resolve, reject) => {
      waiting.push(resolve);
      failed.push(reject);
      child.stdin.write(`${toJsonText(fromPlain({ id: String(count++), ...each }))}\n`);
    });
  return { ask: (packages) => Promise.all(packages.map(one)), close: () => child.stdin.end() };
}
