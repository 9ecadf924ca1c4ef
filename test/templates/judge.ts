import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fromBytes } from '../../src/languages/gotemplate/index.ts';
import type { GeneratedTemplate } from './templates.ts';

/** The answer of the oracle; the text is UTF-8 with U+FFFD for invalid bytes. */
export type Verdict = { text: string } | { error: string };

/** A running oracle. */
export interface TemplateJudge {
  ask(templates: readonly GeneratedTemplate[]): Promise<Verdict[]>;
  /** Returns the text of a value, given as JSON, before it is a template. */
  canonical(values: readonly string[]): Promise<Verdict[]>;
  close(): void;
}

export function startTemplateJudge(program: string): TemplateJudge {
  const child: ChildProcess = spawn(program, [], { stdio: ['pipe', 'pipe', 'inherit'] });
  const waiting: ((line: string) => void)[] = [];
  if (child.stdout === null || child.stdin === null) throw new Error('the judge has no pipes');
  const { stdin, stdout } = child;
  createInterface({ input: stdout, crlfDelay: Number.POSITIVE_INFINITY }).on('line', (line) => waiting.shift()?.(line));
  child.on('exit', (code) => {
    for (const answer of waiting.splice(0)) answer(JSON.stringify({ error: `the judge ended with ${code}` }));
  });
  const ask = (request: string): Promise<Verdict> =>
    new Promise((resolve) => {
      waiting.push((line) => resolve(verdictOf(line)));
      stdin.write(`${request}\n`);
    });
  return {
    ask: (templates) =>
      Promise.all(
        templates.map(({ inputs, ...rest }) => ask(`${JSON.stringify(rest).slice(0, -1)},"inputs":${inputs}}`)),
      ),
    canonical: (values) => Promise.all(values.map((value) => ask(`{"canonical":${value}}`))),
    close: () => stdin.end(),
  };
}

function verdictOf(line: string): Verdict {
  const { output, error } = JSON.parse(line) as { output: string | null; error?: string };
  return error === undefined ? { text: fromBytes(Buffer.from(output ?? '', 'base64').toString('latin1')) } : { error };
}
