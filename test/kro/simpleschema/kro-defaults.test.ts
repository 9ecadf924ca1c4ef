import { describe, expect, it } from 'vitest';
import { toOpenApi } from '../../../src/kro/simpleschema/index.ts';
import { asReports } from '../../messages.ts';

const TYPES = { N: '[]string | default=null', S: { k: '[]string | default=null' }, P: { k: '[]string' } };
const built = (field: string) => toOpenApi({ spec: { x: { f: field } }, types: TYPES });
const defaultOfParent = (field: string): unknown => built(field).schema.properties?.x?.default;

describe('a null default', () => {
  it.each([
    '[]string | default=null',
    '[]string | default=',
    '[]string | default=""',
    '[]string | default=" null "',
    'map[string]string | default=null',
    'object | default=null',
    'P | default=null',
    'N',
    'N | maxItems=4',
    'S',
    'S | default=null',
    '[]string | default=["a"] default=null',
    '[]string | default=null default=["a"]',
  ])('%s sets the default of its struct to {}', (field) => expect(defaultOfParent(field)).toEqual({}));

  it.each(['[]N', 'map[string]N', '[]S', 'P', '[]string', '[]string | default=null required=true'])(
    '%s does not set it',
    (field) => expect(defaultOfParent(field)).toBeUndefined(),
  );

  it('is not a default of the field itself', () => {
    expect(JSON.stringify(built('N').schema.properties?.x?.properties?.f)).toBe(
      '{"type":"array","items":{"type":"string"}}',
    );
  });
});

describe('a default with duplicates', () => {
  it('of a set is a warning, as instances that use it are rejected', () => {
    expect(asReports(built('[]integer | default=[1,1] uniqueItems=true').problems)).toMatchObject([
      { code: 'schema-default', severity: 'warning', message: expect.stringContaining('Duplicate value: 1') },
    ]);
  });

  it('with another error is an error', () => {
    const [problem, ...others] = built('[]integer | default=[1,1,"a"] uniqueItems=true').problems;
    expect(others).toEqual([]);
    expect(problem?.code).toBe('schema-default');
    expect(problem?.severity).toBeUndefined();
  });
});

describe('a bound', () => {
  it.each<[string, bigint | number]>([
    ['9007199254740993', 9007199254740992n],
    ['9007199254740995', 9007199254740996n],
    ['-9007199254740993', -9007199254740992n],
    ['123456789012345678', 123456789012345680n],
    ['5', 5n],
    ['1_0', 10n],
    ['0.5', 0.5],
  ])('of %s is the double %d', (written, bound) => {
    const { x } = built(`float | maximum=${written} minimum=${written}`).schema.properties ?? {};
    expect(x?.properties?.f).toMatchObject({ maximum: bound, minimum: bound });
  });
});
