import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { partOf } from '../properties/runs.ts';
import { bundle, command, HANGING, isNative } from './sandbox.ts';

const MIB = 2 ** 20;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'render-rgd-hostile-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Writes a file with a piece repeated between a start and an end. */
function fileOf(start: string, piece: string, count: number, end = ''): string {
  const file = join(folder, 'input.yaml');
  const descriptor = openSync(file, 'w');
  const block = piece.repeat(Math.ceil(Math.min(count, 2 ** 20 / piece.length)));
  writeSync(descriptor, start);
  for (let written = 0; written < count * piece.length; written += block.length) writeSync(descriptor, block);
  writeSync(descriptor, end);
  closeSync(descriptor);
  return file;
}

/**
 * Runs the command with a limit on its heap; a signal ends it if it needs more. The executable treats the limit as the
 * memory of the machine; bench/hostile.mjs shows its use.
 */
function render(
  file: string,
  heapMiB: number,
  ...options: string[]
): { status: number | null; stdout: string; stderr: string } {
  const args = ['render', file, '--all', ...options];
  const how = { encoding: 'utf8', maxBuffer: 1 << 29, timeout: HANGING } as const;
  if (!isNative) return spawnSync(process.execPath, [`--max-old-space-size=${heapMiB}`, bundle, ...args], how);
  return spawnSync(command, args, { ...how, env: { BUN_JSC_forceRAMSize: String(heapMiB * MIB) } });
}

const CONFIG_MAP = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n';

describe('100 MiB', () => {
  const READ: readonly [string, () => string, number][] = [
    ['in one string', () => fileOf(`${CONFIG_MAP}data: {a: "`, 'x', 100 * MIB, '"}\n'), 700],
    [
      'in one block of text',
      () => fileOf(`${CONFIG_MAP}data:\n  a: |\n`, '    a line of some text\n', 4_400_000),
      1500,
    ],
    ['of comments', () => fileOf(CONFIG_MAP, '# a comment\n', 9 * MIB), 500],
  ];
  it.each(partOf(READ, 3))('%s are read', (_, file, heap) => {
    const { status, stderr } = render(file(), heap);
    expect({ status, stderr: stderr.slice(0, 500) }).toMatchObject({ status: 0 });
  });

  const REJECTED: readonly [string, string][] = [
    ['of empty maps', '{}'],
    ['of document markers', '---\n'],
  ];
  it.each(partOf(REJECTED, 2))('%s are rejected', (_, piece) => {
    const { status, stdout, stderr } = render(fileOf('', piece, (100 * MIB) / piece.length), 1500);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toContain('a stream of more than 500000 documents is not read');
  });
});

const RGD = `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: a}
spec:
  schema: {apiVersion: v1alpha1, kind: A, spec: {a: string}}
`;
const TEMPLATE =
  '  resources:\n  - id: a\n    template:\n      apiVersion: v1\n      kind: ConfigMap\n      metadata: {name: x}\n';

describe('50,000 errors', () => {
  const ERRORS: readonly [string, string, (index: number) => string, ...string[]][] = [
    ['unknown fields', `${RGD}  resources:\n`, (index) => `  - x${index}: 1\n`],
    ['wrong expressions', `${RGD}${TEMPLATE}      data:\n`, (index) => `        x${index}: \${schema.spec.b}\n`],
    ['documents that are not YAML', '', () => '---\na: ]\n'],
    ['maps on one line that are not YAML', '', () => '{]}'],
    ['duplicate keys', 'a: 1\n', () => 'a: 1\n', '--strict'],
    ['lines that want indentation', 'a: [\n', () => 'x,\n'],
  ];
  it.each(partOf(ERRORS, 6))('%s are reported in seconds', (_, start, line, ...options) => {
    const lines = Array.from({ length: 50_000 }, (_, index) => line(index)).join('');
    const { status, stdout, stderr } = render(fileOf(start + lines, ' ', 0), 700, ...options);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(/^error\[.*\n {2}--> \S+input\.yaml:\d+:\d+/);
    expect(stderr).not.toContain('this is a bug');
  });
});

describe('100,000 levels', () => {
  it.each([
    ['lists', '[', ']'],
    ['maps', '{"a":', '}'],
    ['items', '- ', ''],
    ['keys', '? ', ''],
  ])('of %s are rejected', (_, open, close) => {
    const { status, stdout, stderr } = render(
      fileOf(`${open.repeat(100_000)}1${close.repeat(100_000)}\n`, ' ', 0),
      200,
    );
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toContain('error[yaml-syntax]: nesting exceeded');
  });
});
