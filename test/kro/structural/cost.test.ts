import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { crds, type ObjectSource } from '../../../src/api/index.ts';

interface Case {
  schema: object;
  refused: boolean;
}

/**
 * Random schemas, and whether k8s.io/apiextensions-apiserver v0.36.3 (ValidateCustomResourceDefinition) rejects the CRD
 * that kro generates from them, for any reason: most are rules over the budget, some do not compile.
 */
const cases = JSON.parse(readFileSync(new URL('costs.json', import.meta.url), 'utf8')) as Case[];

function problems(schema: object): string[] {
  const rgd = {
    apiVersion: 'kro.run/v1alpha1',
    kind: 'ResourceGraphDefinition',
    metadata: { name: 'r' },
    spec: { schema: { apiVersion: 'v1', kind: 'App', ...schema }, resources: [] },
  } as unknown as ObjectSource;
  const { diagnostics } = crds({ objects: [rgd] });
  return diagnostics
    .filter(({ severity, code }) => severity === 'error' || code === 'crd-refused')
    .map(({ severity, field, message }) => `${severity} ${field}: ${message}`);
}

it.each(cases)('the cost of $schema is rejected or accepted as by an API server', ({ schema, refused }) => {
  expect(problems(schema).length > 0).toBe(refused);
});

it('the cost cases contain both results', () => {
  expect(cases.filter(({ refused }) => refused).length).toBeGreaterThan(40);
  expect(cases.filter(({ refused }) => !refused).length).toBeGreaterThan(40);
});

describe('the cost budget of a rule', () => {
  const listed = (rule: string, bound = ''): string[] =>
    problems({ spec: { users: `[]User |${bound} minItems=0` }, types: { User: { id: `string | ${rule}` } } });
  const told = (factor: string, rule: string): string =>
    `error spec.schema.spec.users.id: the rule '${rule}' may cost ${factor} the budget of an API server`;

  it('counts the maximum number of values', () => {
    expect(listed('immutable=true')).toContain(told('more than 100 times', 'self == oldSelf'));
    expect(listed('validation="self.matches(\'^[a-z]+$\')"')).toEqual([
      told('more than 100 times', "self.matches('^[a-z]+$')"),
    ]);
  });

  it('is met with bounds on the list or on the string', () => {
    expect(listed('validation="self.matches(\'^[a-z]+$\')"', ' maxItems=15')).toEqual([]);
    expect(listed('validation="self.matches(\'^[a-z]+$\')"', ' maxItems=16')).toEqual([
      told('1.0 times', "self.matches('^[a-z]+$')"),
    ]);
    expect(listed('maxLength=20 validation="self == \'a\'"')).toEqual([]);
  });

  it('is only a warning if the rule is evaluated once', () => {
    const rule = 'self.all(a, self.all(b, a == b))';
    expect(problems({ spec: { u: `[]string | validation="${rule}"` } })[0]).toMatch(
      /^warning spec.schema.spec.u: the rule/,
    );
  });

  it('also applies to all rules of a CRD together', () => {
    const rule = 'string | validation="self.matches(\'^[a-z]+$\')"';
    const fields = (count: number): object =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, rule]));
    expect(problems({ spec: fields(100) })).toEqual([]);
    expect(problems({ spec: fields(200) })).toEqual([
      'warning spec.schema.spec: all validation rules together may cost 1.3 times the budget of an API server',
    ]);
  });
});
