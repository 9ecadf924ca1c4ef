import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as commands from '../../src/cli/commands.ts';
import { hasColors, knowsSequences, wantsColors } from '../../src/cli/output.ts';
import { flagOf, sharedOptions } from '../../src/render/options/index.ts';
import { invoke } from './invoke.ts';
import { note, noteRgd } from './resourcelist/packages.ts';

const input = `${noteRgd}\n---\n${note('a', '{text: "x"}')}`;

describe('usage errors', () => {
  it.each([
    [['explain', 'Note/none', '-', '--report', 'json'], 1, 'not-found'],
    [['explain', 'Note/none', '-', '-o', 'json'], 1, 'not-found'],
    [['instance', 'Nope', '-', '--diagnostics', 'json'], 1, 'not-found'],
    [['graph', '-', '--rgd', 'none', '--report', 'json'], 1, 'not-found'],
    [['render', '--report', 'json'], 2, 'command-line'],
    [['render', '--strct', '-', '--report=json'], 2, 'command-line'],
    [['diff', '-', '-o', 'json'], 2, 'command-line'],
    [['validate', '-', '--disable', 'lint-none', '-o', 'json'], 2, 'command-line'],
    [['test', '/none', '--report', 'json'], 1, 'unreadable-file'],
    [['completion', 'tcsh', '--report', 'json'], 2, 'command-line'],
  ])('of %j are JSON', async (args, code, of) => {
    const found = await invoke(args, input);
    expect({ code: found.code, stdout: found.stdout }).toEqual({ code, stdout: '' });
    expect(JSON.parse(found.stderr)).toMatchObject([{ severity: 'error', code: of }]);
  });

  it('name the option whose value looks like an option', async () => {
    const { code, stderr } = await invoke(['diff', 'a', '--against', '-x']);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr:
        "error[command-line]: --against needs a value: REF; '-x' looks like an option (--against=-x if it is the value)\n",
    });
  });
});

describe('--report', () => {
  it('prints the diagnostics of any command in a format beside its output', async () => {
    const { code, stdout, stderr } = await invoke(['render', '-', '-v', '--report', 'github'], input);
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/^::notice /) });
    expect(stdout).toContain('kind: ConfigMap');
  });

  it('writes files too, and reports which ones cannot be written', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'render-rgd-report-'));
    try {
      const file = join(folder, 'out.json');
      const { code, stdout, stderr } = await invoke(['explain', 'Note/none', '-', '--report', `json=${file}`], input);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toMatch(/^error\[not-found\]/);
      expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject([{ code: 'not-found' }]);
      const unwritten = await invoke(['crd', '-', '--report', `json=${folder}`, '--report', 'json'], input);
      expect(unwritten.code).toBe(1);
      expect(JSON.parse(unwritten.stderr)).toMatchObject([{ code: 'unwritable-file' }]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it.each([
    ...['render -', 'crd -', 'docs -', 'doctor -', 'graph -', 'instance Note -', 'pending -', 'schema Note -'],
    ...[
      'validate -',
      'explain Note/a -',
      'compat - NONE',
      'diff - NONE',
      'observe - --from NONE',
      'plan NONE --against x',
    ],
    ...['completion bash', 'test NONE', 'init FOLDER'],
  ])('of %s writes a file if one is named', async (line) => {
    const folder = mkdtempSync(join(tmpdir(), 'render-rgd-report-'));
    try {
      const file = join(folder, 'out.json');
      const words = line.replace('NONE', join(folder, 'none')).replace('FOLDER', join(folder, 'new')).split(' ');
      await invoke([...words, '--report', `json=${file}`], input);
      expect(JSON.parse(readFileSync(file, 'utf8'))).toBeInstanceOf(Array);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('prints the report of validate as -o does', async () => {
    for (const format of ['text', 'json', 'sarif', 'github', 'junit']) {
      const [one, other] = await Promise.all(
        ['-o', '--report'].map((flag) => invoke(['validate', '-', flag, format], input)),
      );
      expect(one).toEqual(other);
    }
  });
});

describe('help', () => {
  it('describes the options of a command first, and lists the shared ones', async () => {
    for (const [name, { own, shared }] of Object.entries(commands)) {
      const { stdout } = await invoke(['help', name]);
      const described = stdout.slice(stdout.indexOf('\nOptions:\n'), stdout.indexOf('\nMore options'));
      for (const option of Object.keys(own)) expect(`${name} ${described}`).toContain(flagOf(option));
      const named = stdout.slice(stdout.indexOf('\nUsage:'));
      for (const option of Object.keys(shared)) expect(`${name} ${named}`).toContain(flagOf(option));
      expect(stdout).not.toContain('--diagnostics');
    }
  });

  it('describes the shared options once', async () => {
    const { code, stdout } = await invoke(['help', 'options']);
    expect(code).toBe(0);
    for (const [name, { description }] of Object.entries(sharedOptions)) {
      expect(stdout).toContain(flagOf(name));
      expect(stdout.replace(/\s+/g, ' ')).toContain(description);
    }
  });

  it('fits the width of the terminal', async () => {
    for (const columns of [60, 80, 100, 300]) {
      const { stdout } = await invoke(['help', 'options'], undefined, columns);
      const widest = Math.max(...stdout.split('\n').map((line) => line.length));
      expect(widest).toBeLessThanOrEqual(Math.min(columns, 100));
      expect(widest).toBeGreaterThan(Math.min(columns, 100) - 15);
    }
  });
});

describe('colours', () => {
  it.each([
    [{}, true, true],
    [{}, false, false],
    [{ NO_COLOR: '1' }, true, false],
    [{ NO_COLOR: '' }, true, true],
    [{ TERM: 'dumb' }, true, false],
    [{ FORCE_COLOR: '1' }, false, true],
    [{ FORCE_COLOR: '1', NO_COLOR: '1', TERM: 'dumb' }, false, true],
    [{ FORCE_COLOR: '0' }, true, false],
    [{ FORCE_COLOR: '' }, false, false],
  ])('%j on a terminal %s: %s', (variables, isTerminal, expected) => {
    expect(wantsColors(variables, isTerminal)).toBe(expected);
  });

  it.each(['always', 'never', 'auto'] as const)('follow --color %s', (color) => {
    for (const colors of [true, false]) {
      const painted = hasColors({ io: { colors: () => colors }, settings: { color } }, 'stdout');
      expect(painted).toBe(color === 'auto' ? colors : color === 'always');
    }
  });

  it.each([
    [{}, true, true],
    [{ NO_COLOR: '1' }, true, true],
    [{ TERM: 'dumb' }, true, false],
    [{ FORCE_COLOR: '1' }, false, false],
  ])('%j on a terminal %s: lines are erased %s', (variables, isTerminal, expected) => {
    expect(knowsSequences(variables, isTerminal)).toBe(expected);
  });

  it('are in the errors of every command', async () => {
    const { stderr } = await invoke(['render', '--color', 'always']);
    expect(stderr.startsWith('\u001B[1;31merror[command-line]\u001B[0m: ')).toBe(true);
  });
});
