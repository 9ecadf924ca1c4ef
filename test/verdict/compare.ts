import { type Code, codes } from '../../src/core/diagnostics/index.ts';
import { documentedDifferences, undocumented, type Verdicts } from './differences.ts';
import type { verdictFolder } from './folder.ts';
import type { NamedInput } from './inputs.ts';
import { isGreenInCompat, surfaces } from './surfaces.ts';

/** Returns the undocumented differences of the inputs, with and without `strict`; VERDICT_TABLE prints the numbers of runs. */
export async function differencesOf(
  inputs: Iterable<NamedInput>,
  ask: ReturnType<typeof verdictFolder>,
): Promise<string[]> {
  const known = documentedDifferences();
  const counts = new Map<string, Map<string, number>>();
  const differences: string[] = [];
  for (const one of inputs) {
    for (const strict of [false, true]) {
      const verdicts = await ask({ ...one, options: { ...one.options, strict } });
      const found = [...verdicts.values()];
      const isSame = new Set(found.map((codes) => codes.join())).size === 1;
      const agreement = isSame ? (found[0]?.length === 0 ? 'no error' : 'the same errors') : 'a documented difference';
      const failed = [...verdicts].flatMap(([name, codes]) => (codes.length > 0 ? [name] : []));
      const row = counts.get(one.kind) ?? new Map<string, number>();
      counts.set(one.kind, row);
      for (const column of ['runs', agreement, ...failed]) row.set(column, (row.get(column) ?? 0) + 1);
      const silent = await silentCompat({ ...one, options: { ...one.options, strict } }, verdicts);
      const lines = [...undocumented(verdicts, known), ...silent];
      differences.push(...lines.map((line) => `${one.name}, strict ${strict}: ${line}`));
    }
  }
  if (process.env.VERDICT_TABLE !== undefined) console.log(table(counts));
  return differences;
}

/** Returns the errors of `diff` for an RGD or an instance of which `compat` says that everything was compared. */
async function silentCompat(input: NamedInput, verdicts: Verdicts): Promise<string[]> {
  const errors = (verdicts.get('diff') ?? []).filter((code) => isOfCompat(code));
  if (errors.length === 0 || !(await isGreenInCompat(input))) return [];
  return [`compat compares everything, and diff reports ${errors.join(', ')}`];
}

/** What `compat` looks at: RGDs and instances alone, each for itself. */
function isOfCompat(code: string): boolean {
  const stage = Object.hasOwn(codes, code) ? codes[code as Code].stage : undefined;
  return stage === 'parse' || stage === 'compile' || stage === 'instance' || code === 'evaluation';
}

const COLUMNS = ['runs', 'no error', 'the same errors', 'a documented difference', ...Object.keys(surfaces)];

/** Returns the number of runs of each kind of input: how the surfaces agree, and how many fail on each. */
const table = (counts: ReadonlyMap<string, ReadonlyMap<string, number>>): string =>
  [
    ['input', ...COLUMNS],
    ['---', ...COLUMNS.map(() => '---:')],
    ...[...counts].map(([kind, row]) => [kind, ...COLUMNS.map((column) => row.get(column) ?? 0)]),
  ]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
