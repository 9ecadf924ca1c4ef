import { describe, expect, it } from 'vitest';
import { type Code, codes } from '../../../src/core/diagnostics/diagnostic.ts';
import type { Example } from './examples/example.ts';
import { examples } from './examples/index.ts';

/** The diagnostics of each example, which two tests read. */
const found = new Map<string, ReturnType<Example['find']>>();
const findingsOf = (code: string, { find }: Example): ReturnType<Example['find']> => {
  const known = found.get(code) ?? find();
  found.set(code, known);
  return known;
};

describe('diagnostic codes', () => {
  it('all have an example', () => expect(Object.keys(examples).sort()).toEqual(Object.keys(codes).sort()));

  it('are grouped by stage in the table', () => {
    const stages = Object.values(codes).map(({ stage }) => stage);
    expect([...new Set(stages)]).toEqual(stages.filter((stage, index) => stage !== stages[index - 1]));
  });

  it.each(Object.entries(examples))('%s is reported for its example', async (code, example) => {
    const { severity, hint } = example;
    const found = await findingsOf(code, example);
    const told = found.find((one) => one.code === code);
    expect(told, JSON.stringify(found)).toBeDefined();
    expect(told).toMatchObject({ severity: severity ?? 'error', stage: codes[code as Code].stage });
    expect(told?.message).not.toBe('');
    if (hint !== undefined) expect(told?.hint ?? '').toContain(hint);
  });

  it.each(Object.entries(examples))('%s is the only error of its example', async (code, example) => {
    const { severity } = example;
    const errors = (await findingsOf(code, example)).filter((one) => one.severity === 'error').map((one) => one.code);
    expect(new Set(errors)).toEqual(new Set(severity === undefined ? [code] : []));
  });
});
