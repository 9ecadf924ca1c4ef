import { describe, expect, it } from 'vitest';
import { partOf } from '../properties/runs.ts';
import { differencesOf } from './compare.ts';
import { undocumented } from './differences.ts';
import { verdictFolder } from './folder.ts';
import { inputs } from './inputs.ts';
import type { SurfaceName } from './surfaces.ts';

describe('the verdict of every surface', () => {
  const ask = verdictFolder();

  it('is the same for a part of the cases, but for the documented differences', async () => {
    // cases.heavy.test.ts has all of them.
    const part = partOf([...inputs()], 16);
    expect(part.length).toBeGreaterThan(20);
    expect(await differencesOf(part, ask)).toEqual([]);
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
