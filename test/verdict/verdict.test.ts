import { describe, expect, it } from 'vitest';
import { undocumented } from './differences.ts';
import type { SurfaceName } from './surfaces.ts';

describe('the verdict of every surface', () => {
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
