import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fromPlain } from '../../src/api/plain.ts';
import { parseJson } from '../../src/core/encoding/json.ts';
import { toJsonText } from '../../src/yaml/emit/json.ts';

/** A program that answers each line of JSON with one, in order, until it is closed. */
export interface Oracle<Question extends object, Answer> {
  ask(questions: readonly Question[]): Promise<Answer[]>;
  close(): void;
}

/** Starts an oracle; `command` is the program and its arguments. Each question gets an `id`. */
export function startOracle<Question extends object, Answer>(command: readonly string[]): Oracle<Question, Answer> {
  const [program = '', ...arguments_] = command;
  const child = spawn(program, arguments_, { stdio: ['pipe', 'pipe', 'inherit'] });
  const pending: { resolve: (answer: Answer) => void; reject: (cause: Error) => void }[] = [];
  createInterface({ input: child.stdout, crlfDelay: Number.POSITIVE_INFINITY }).on('line', (line) => {
    pending.shift()?.resolve(parseJson(line) as unknown as Answer);
  });
  child.on('exit', (code) => {
    for (const { reject } of pending.splice(0)) reject(new Error(`the judge ended with ${code}`));
  });
  let count = 0;
  const one = (question: Question): Promise<Answer> =>
    new Promise((resolve, reject) => {
      pending.push({ resolve, reject });
      child.stdin.write(`${toJsonText(fromPlain({ id: String(count++), ...question }))}\n`);
    });
  return { ask: (questions) => Promise.all(questions.map(one)), close: () => child.stdin.end() };
}
