// Runs the built command on inputs that are too large, too deep or invalid, and measures the result, and what that takes.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { native, onNode } from './support/command.mjs';
import { timeAndPeak } from './support/process.mjs';
import { figureText } from './support/table.mjs';

export const title = 'Hostile inputs';

const CONFIG_MAP = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n';
const RGD = `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: a}
spec:
  schema: {apiVersion: v1alpha1, kind: A, spec: {a: string}}
  resources:
`;
/** Nine lists, each of which repeats the previous one nine times. */
const BOMB = Array.from({ length: 9 }, (_, level) => {
  const item = level === 0 ? 'x' : `*l${level - 1}`;
  return `l${level}: &l${level} [${Array(9).fill(item).join(', ')}]\n`;
}).join('');

export async function run({ short }) {
  const size = short ? 10_000_000 : 100_000_000;
  const many = short ? 10_000 : 100_000;
  const repeated = (piece) => piece.repeat(size / piece.length);
  const numbered = (count, line) => Array.from({ length: count }, (_, index) => line(index)).join('');
  const inputs = [
    [`${size / 1e6} MB, one string`, `${CONFIG_MAP}data: {a: "${repeated('x')}"}\n`],
    [`${size / 1e6} MB, one block of text`, `${CONFIG_MAP}data:\n  a: |\n${repeated('    a line of some text\n')}`],
    [
      `${size / 1e6} MB, one map`,
      `${CONFIG_MAP}data:\n${numbered(size / 30, (index) => `  key-${index}: some value\n`)}`,
    ],
    [`${size / 1e6} MB of JSON`, `{"apiVersion":"v1","kind":"List","items":[],"x":[${repeated('{"a":["b"]},')}1]}`],
    [`${size / 1e6} MB, empty documents`, repeated('---\n')],
    [`${many} errors in an RGD`, RGD + numbered(many, (index) => `  - x${index}: 1\n`)],
    [`${many} documents that are not YAML`, '---\na: ]\n'.repeat(many)],
    [`${many} levels of lists`, `${'['.repeat(many)}${']'.repeat(many)}\n`],
    ['aliases of aliases, 9^9 items', BOMB],
    ['a list that contains itself', 'a: &a [*a]\n'],
  ];
  const folder = mkdtempSync(join(tmpdir(), 'render-rgd-bench-'));
  const lines = [['', 'exit code', 'seconds', 'MiB', 'executable: seconds', 'MiB']];
  try {
    for (const [name, text] of inputs) {
      const input = join(folder, 'input.yaml');
      writeFileSync(input, text);
      const figures = async (command) => {
        if (command === undefined) return { texts: ['-', '-'] };
        const { code, time, peak } = await timeAndPeak([...command, 'render', input, '--all']);
        return { code, texts: [figureText(time / 1000), peak.toFixed(0)] };
      };
      const { code, texts } = await figures(onNode);
      const other = await figures(native);
      if (native !== undefined && other.code !== code)
        throw new Error(`${name}: the executable ends with ${other.code}`);
      lines.push([name, String(code), ...texts, ...other.texts]);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  return { lines, claims: [] };
}
