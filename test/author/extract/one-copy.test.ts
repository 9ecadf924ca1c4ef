import { describe, expect, it } from 'vitest';
import type { ExtractResult } from '../../../src/api/tools/index.ts';
import { configMap, extracted } from './extracting.ts';
import { oneCopyConditions } from './one-copy.ts';

/** A result with an RGD that a person wrote: a boolean decides about an object of the copy that alone sets a host. */
function written(fills: string): ExtractResult {
  const result = extracted({ one: configMap('one', '{ a: b }'), two: configMap('two', '{ a: b }') });
  const { rgd, report } = result;
  if (rgd === undefined || report === undefined) throw new Error('nothing was extracted');
  const of = (name: string, spec: object): object => ({ metadata: { name }, spec });
  const fields = { hasIngress: 'boolean | default=false', host: 'string' };
  const schema = { apiVersion: 'v1alpha1', kind: 'Copy', spec: fields };
  return {
    ...result,
    rgd: { ...rgd, spec: { schema, resources: [] } } as typeof rgd,
    instances: [of('one', { hasIngress: true, host: 'a.example.org' }), of('two', {})] as typeof result.instances,
    report: {
      ...report,
      fields: [{ name: 'host', written: 'string', description: '', values: 1, fills: [fills] }],
      conditions: [{ decides: 'ingress', by: 'schema.spec.hasIngress', holds: 1, values: 4 }],
    },
  };
}

describe('conditions that hold for one copy', () => {
  it('counts a boolean where a field of the same object would do', () => {
    const { total, withField, avoidable } = oneCopyConditions(written('ingress.spec.rules[].host'));
    expect([total, withField.length, avoidable.length]).toEqual([1, 1, 1]);
  });

  it('counts a boolean apart where only a field of another object is set', () => {
    const { total, withField, avoidable } = oneCopyConditions(written('configMap.data.host'));
    expect([total, withField.length, avoidable.length]).toEqual([1, 1, 0]);
  });

  it('counts nothing where the field itself decides', () => {
    const copies = { one: configMap('one', '{ a: b, host: x }'), two: configMap('two', '{ a: b }') };
    expect(oneCopyConditions(extracted(copies))).toEqual({ total: 0, withField: [], avoidable: [] });
  });
});
