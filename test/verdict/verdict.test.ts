import { describe, expect, it } from 'vitest';
import { documentedDifferences, undocumented } from './differences.ts';
import { verdictFolder } from './folder.ts';
import { casesIn, inputs } from './inputs.ts';
import { type SurfaceName, surfaces } from './surfaces.ts';

/** VERDICT_CASES=FOLDER,... adds folders of cases, each with input.yaml. */
const more = (process.env.VERDICT_CASES ?? '').split(',').filter(Boolean);

describe('the verdict of every surface', () => {
  const ask = verdictFolder();
  const known = documentedDifferences();

  it('is the same for all cases, but for the documented differences', async () => {
    const counts = new Map<string, number>();
    const differences: string[] = [];
    const count = (row: string): void => {
      counts.set(row, (counts.get(row) ?? 0) + 1);
    };
    for (const one of [...inputs(), ...more.flatMap((root) => [...casesIn(root)])]) {
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
    expect(differences).toEqual([]);
  });

  it('is a failure where only some report a code that the docs do not name', () => {
    const only = new Map<SurfaceName, string[]>([
      ['validate', ['a']],
      ['render', []],
    ]);
    expect(undocumented(only, new Map())).toEqual(['a: validate']);
    const meant = new Map([['a', [new Set<SurfaceName>(['validate'])]]]);
    expect(undocumented(only, meant)).toEqual([]);
    expect(undocumented(only, new Map([['a', [new Set<SurfaceName>(['render'])]]]))).toEqual(['a: validate']);
  });
});

const table = (counts: ReadonlyMap<string, number>): string =>
  ['no error', 'the same errors', 'a documented difference', ...Object.keys(surfaces)]
    .map((row) => `| ${row} | ${counts.get(row) ?? 0} |`)
    .join('\n');
