import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type ObjectSource, type RenderOptions, render } from '../../../../src/api/index.ts';
import { pluginCommand } from '../../../../src/cli/plugin/index.ts';
import { type Code, codes, type Severity } from '../../../../src/core/diagnostics/diagnostic.ts';
import { getAt, type ValueMap } from '../../../../src/core/model/value.ts';
import { invoke } from '../../../cli/invoke.ts';
import { recordingIo } from '../../../cli/recording.ts';
import { listOf, runFunction } from '../../../cli/resourcelist/packages.ts';

/** What an example checks of a diagnostic. */
export interface Found {
  severity: string;
  code: string;
  stage: string;
  message: string;
  hint?: string | undefined;
}

/** The smallest input that a code is reported for. */
export interface Example {
  find: () => readonly Found[] | Promise<readonly Found[]>;
  /** The default is 'error'. */
  severity?: Severity;
  /** A part of the hint. */
  hint?: string;
}

/** Rendered through the library. */
export const rendering =
  (objects: readonly ObjectSource[], options: RenderOptions = {}, observed: readonly ObjectSource[] = []) =>
  (): readonly Found[] =>
    render({ objects, observed }, options).diagnostics;

export const reading = (text: string) => (): readonly Found[] =>
  render({ objects: [{ file: 'input.yaml', text }] }).diagnostics;

/** Run through the command line. */
export const command = (args: readonly string[], stdin: string) => async (): Promise<readonly Found[]> =>
  JSON.parse((await invoke([...args, '--diagnostics', 'json'], stdin)).stderr);

/** Runs the KRM function; with a change, runs it again on its changed first output. */
export const answering =
  (items: readonly ObjectSource[], config?: string, change?: (list: string) => string) =>
  async (): Promise<readonly Found[]> => {
    const list = listOf(
      items.map((item) => JSON.stringify(item)),
      config,
    );
    const input = change === undefined ? list : change((await runFunction(list)).stdout);
    return (await runFunction(input)).results.map(foundOf);
  };

/** Runs the KRM function with an input that is not a ResourceList, so that only stderr has the error. */
export const refusing = (stdin: string) => async (): Promise<readonly Found[]> =>
  foundIn((await invoke([], stdin)).stderr);

/** Runs in a folder of these files: `plugin generate` with parameters, or another command. */
export const inFolder =
  (files: Readonly<Record<string, string>>, ...args: readonly [string, ...string[]] | readonly [object]) =>
  async (): Promise<readonly Found[]> => {
    const folder = mkdtempSync(join(tmpdir(), 'render-rgd-codes-'));
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    const home = process.cwd();
    process.chdir(folder);
    try {
      const [first] = args;
      if (typeof first === 'string') return foundIn((await invoke(args as readonly string[])).stderr);
      return await generating(first);
    } finally {
      process.chdir(home);
      rmSync(folder, { recursive: true });
    }
  };

async function generating(parameters: object): Promise<readonly Found[]> {
  const printed = { stdout: '', stderr: '' };
  const given = Object.entries(parameters).map(([name, value]) =>
    Array.isArray(value) ? { name, array: value } : { name, string: value },
  );
  await pluginCommand(['generate'], recordingIo(printed), { ARGOCD_APP_PARAMETERS: JSON.stringify(given) });
  return foundIn(printed.stderr);
}

/** Returns the diagnostics of a text report. */
function foundIn(text: string): Found[] {
  const found: Found[] = [];
  for (const line of text.split('\n')) {
    const [, severity = '', code = '', message = ''] = /^(?:\S+: )?(\w+)\[([\w-]+)\][^:]*: (.*)/.exec(line) ?? [];
    const hint = /^ {2}hint: (.*)/.exec(line)?.[1];
    const last = found.at(-1);
    if (code !== '') found.push({ severity, code, stage: codes[code as Code].stage, message });
    else if (last !== undefined && hint !== undefined) last.hint = hint;
  }
  return found;
}

function foundOf(result: ValueMap): Found {
  const message = String(result.message);
  const hint = /\(hint: ([\s\S]*)\)$/.exec(message)?.[1];
  const [code, stage] = ['code', 'stage'].map((tag) => String(getAt(result, ['tags', tag])));
  return { severity: String(result.severity), code: code ?? '', stage: stage ?? '', message, hint };
}
