import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { checkPackage } from '../../playground/engine/check.ts';
import type { Package } from '../../playground/engine/protocol.ts';
import { renderPackage } from '../../playground/engine/render.ts';
import { problemsOf } from '../../playground/state/problems.ts';
import { isPending } from '../../src/core/diagnostics/index.ts';
import { invoke } from '../cli/invoke.ts';
import { texts, withMistake } from '../language-server/fixes.ts';
import { randomFrom } from '../language-server/mutants.ts';
import { runs } from '../properties/runs.ts';
import { seed } from '../seed.ts';

const root = mkdtempSync(join(tmpdir(), 'render-rgd-page-'));
afterAll(() => rmSync(root, { recursive: true }));

interface Problem {
  readonly file?: string;
  readonly severity: string;
  readonly code: string;
  readonly line?: number;
}

/** Codes of a rendering that a validation has no use for, and of paths that only a command has. */
const ELSEWHERE: ReadonlySet<string> = new Set(['owner-reference', 'nothing-to-read']);

/** What both list: an info is of the rendering, and not of a validation. */
const shown = (problems: readonly Problem[]): string[] =>
  [
    ...new Set(
      problems
        .filter(({ severity, code }) => severity !== 'info' || code.startsWith('lint-'))
        .filter(({ code }) => !ELSEWHERE.has(code))
        // A pending value is an error of a rendering, and a warning of a validation.
        .map((one) => `${one.file ?? ''}:${one.line ?? 0} ${isPending(one) ? 'pending' : one.severity} ${one.code}`),
    ),
  ].sort();

interface TextFile {
  readonly name: string;
  readonly text: string;
}

async function validated(files: readonly TextFile[]): Promise<string[]> {
  const home = process.cwd();
  const folder = mkdtempSync(join(root, 'package-'));
  for (const { name, text } of files) writeFileSync(join(folder, name), text);
  process.chdir(folder);
  try {
    const { stdout } = await invoke(['validate', '.', '-o', 'json']);
    return shown(JSON.parse(stdout));
  } finally {
    process.chdir(home);
    rmSync(folder, { recursive: true });
  }
}

function onThePage(files: readonly TextFile[]): string[] {
  const pack: Package = { files: files.map((file) => ({ ...file, role: 'objects' })), options: {} };
  return shown(problemsOf(renderPackage(pack).diagnostics, checkPackage(pack).diagnostics));
}

/** Returns a text as one file, or as one file for each document. */
function filesOf(text: string, isSplit: boolean): TextFile[] {
  const texts = isSplit ? text.split(/^---$/m) : [text];
  return texts.map((one, index) => ({ name: `${index}.yaml`, text: one }));
}

it('the page lists the problems of validate for random mistakes', async () => {
  const random = randomFrom(seed);
  const all = texts();
  const { numRuns } = runs(300);
  const different: string[] = [];
  for (let run = 0; run < numRuns; run += 1) {
    const { name, text } = all[Math.floor(random() * all.length)] as (typeof all)[number];
    // A file has no half of a surrogate pair.
    const mistaken = Buffer.from(withMistake(text, random)).toString();
    const files = filesOf(mistaken, run % 2 === 1);
    const page = onThePage(files);
    const command = await validated(files);
    const only = [
      ...page.filter((line) => !command.includes(line)).map((line) => `only on the page: ${line}`),
      ...command.filter((line) => !page.includes(line)).map((line) => `only in validate: ${line}`),
    ];
    if (only.length > 0) different.push(`${name}, run ${run}: ${only.join('; ')}`);
  }
  expect(different).toEqual([]);
});
