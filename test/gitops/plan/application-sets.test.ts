import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { EXPECTED, FILES, madeOf, SET_CASES } from './application-sets.ts';

type Made = { applications: unknown[] } | { error: string };
const expected = JSON.parse(readFileSync(EXPECTED, 'utf8')) as Record<string, Made>;

describe('the Applications of an ApplicationSet', () => {
  it.each(Object.entries(SET_CASES))('are those that Argo CD makes: %s', (name, one) => {
    const made = madeOf(one, FILES);
    const wanted = expected[name] as Made;
    if (one.unsupported !== undefined) {
      expect(wanted).toHaveProperty('applications');
      expect(made).toEqual({ error: expect.stringMatching(one.unsupported) });
    } else if ('error' in wanted) expect(made).toHaveProperty('error');
    else expect(made).toEqual(wanted);
  });

  it('are all expected', () => {
    expect(Object.keys(SET_CASES).sort()).toEqual(Object.keys(expected).sort());
  });
});
