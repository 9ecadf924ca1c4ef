import { describe, expect, it } from 'vitest';
import type { Problem } from '../../../src/core/diagnostics/index.ts';
import type { Value } from '../../../src/core/model/value.ts';
import type { Schema } from '../../../src/kubernetes/schema/index.ts';
import { conformityOf, createPatternBudget } from '../../../src/kubernetes/validation/index.ts';

const kindOf = (code: string): string => code.replace(/^rendered-|-field$/g, '');
const text: Schema = { type: 'string' };
const object = (properties: Record<string, Schema>): Schema => ({ type: 'object', properties });

describe('patterns', () => {
  const schemaOf = (count: number, wrap: (schema: Schema) => Schema = (schema) => schema): Schema =>
    object(
      Object.fromEntries(
        Array.from({ length: count }, (_, index) => [`p${index}`, wrap({ ...text, pattern: `a{1000}${index}|x` })]),
      ),
    );
  const textsOf = (count: number): Record<string, Value> =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, 'x']));
  const kindsOf = (faults: readonly Problem[]): string[] => faults.map(({ code }) => kindOf(code));

  it.each<[string, (schema: Schema) => Schema]>([
    ['of fields', (schema) => schema],
    ['of alternatives', (schema) => ({ ...text, anyOf: [schema] })],
  ])('%s are compiled within a limit for all objects together', (_, wrap) => {
    const patterns = createPatternBudget();
    const faultsOf = (schema: Schema, value: Record<string, Value>): Problem[] =>
      conformityOf(schema, { apiVersion: 'v1', kind: 'X', ...value }, true, patterns).faults;
    expect(faultsOf(schemaOf(150, wrap), textsOf(150))).toEqual([]);
    expect(kindsOf(faultsOf(schemaOf(150, wrap), { ...textsOf(149), p149: 'y' }))).toEqual(['value']);
    expect(kindsOf(faultsOf(schemaOf(300, wrap), textsOf(300)))).toEqual(['schema-too-large']);
  });
});
