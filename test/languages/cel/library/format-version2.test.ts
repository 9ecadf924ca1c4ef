import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  check,
  createBudget,
  EvaluationError,
  kubernetesEnvironment,
  parse,
  plan,
} from '../../../../src/languages/cel/index.ts';

type Answer = string | { refused: string } | { failed: string };

/** The answers of cel-go v0.31.0 with ext.StringsVersion(2). */
const table: Record<string, Answer> = JSON.parse(
  readFileSync(new URL('format-version2.json', import.meta.url), 'utf8'),
);

function answer(source: string): Answer {
  const parsed = parse(source);
  if (!parsed.ok) throw new Error(source);
  const result = check(kubernetesEnvironment(), parsed.expression, new Map());
  if (!result.ok) return { refused: result.issues[0]?.message ?? '' };
  try {
    return plan(kubernetesEnvironment(), result.checked, []).run([], createBudget()) as string;
  } catch (error) {
    if (error instanceof EvaluationError) return { failed: error.message };
    throw error;
  }
}

describe('format in a validation rule', () => {
  it.each(Object.entries(table))('%s', (source, expected) => expect(answer(source)).toEqual(expected));

  it('has a maximum precision', () => {
    expect(answer('"%.101f".format([1.5])')).toMatchObject({
      refused: expect.stringContaining('precision 101 exceeds'),
    });
  });
});
