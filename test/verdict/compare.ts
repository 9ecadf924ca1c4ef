import { documentedDifferences, undocumented } from './differences.ts';
import type { verdictFolder } from './folder.ts';
import type { NamedInput } from './inputs.ts';
import { surfaces } from './surfaces.ts';

/** Returns the undocumented differences of the inputs, with and without `strict`; VERDICT_TABLE prints the counts. */
export async function differencesOf(
  inputs: Iterable<NamedInput>,
  ask: ReturnType<typeof verdictFolder>,
): Promise<string[]> {
  const known = documentedDifferences();
  const counts = new Map<string, number>();
  const differences: string[] = [];
  const count = (row: string): void => {
    counts.set(row, (counts.get(row) ?? 0) + 1);
  };
  for (const one of inputs) {
    for (const strict of [false, true]) {
      const verdicts = await ask({ ...one, options: { ...one.options, strict } });
      const found = [...verdicts.values()];
      const isSame = new Set(found.map((codes) => codes.join())).size === 1;
      count(isSame ? (found[0]?.length === 0 ? 'no error' : 'the same errors') : 'a documented difference');
      for (const [name, codes] of verdicts) if (codes.length > 0) count(name);
      differences.push(...undocumented(verdicts, known).map((line) => `${one.name}, strict ${strict}: ${line}`));
    }
  }
  if (process.env.VERDICT_TABLE !== undefined) console.log(table(counts));
  return differences;
}

const table = (counts: ReadonlyMap<string, number>): string =>
  ['no error', 'the same errors', 'a documented difference', ...Object.keys(surfaces)]
    .map((row) => `| ${row} | ${counts.get(row) ?? 0} |`)
    .join('\n');
