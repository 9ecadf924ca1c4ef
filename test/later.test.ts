import { describe, expect, it } from 'vitest';
import { LATER } from '../tools/parts/later.mjs';

/** The build puts a function in the place of whatever such a module exports. */
describe.each(LATER)('%s, which the command loads when it is called', (module) => {
  it('exports functions and nothing else', async () => {
    const exported = Object.entries(await import(/* @vite-ignore */ `../${module}`));
    const others = exported.filter(([, value]) => typeof value !== 'function' || /^class\b/.test(String(value)));
    expect(exported).not.toEqual([]);
    expect(others).toEqual([]);
  });
});
