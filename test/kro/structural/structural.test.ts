import { describe, expect, it } from 'vitest';
import { crds, type ObjectSource } from '../../../src/api/index.ts';

const TYPES = {
  Fixed: { id: 'string | immutable=true maxLength=20' },
  FixedList: '[]Fixed | maxItems=5',
  Part: { id: 'string' },
  Keyed: { id: 'string | required=true', n: 'integer | default=1', list: '[]string | required=true' },
  KeyedFixed: { k: 'string | required=true maxLength=20', id: 'string | immutable=true maxLength=20' },
};

function all(schema: object): string[] {
  const rgd = {
    apiVersion: 'kro.run/v1alpha1',
    kind: 'ResourceGraphDefinition',
    metadata: { name: 'r' },
    spec: { schema: { apiVersion: 'v1', kind: 'App', spec: {}, types: TYPES, ...schema }, resources: [] },
  } as unknown as ObjectSource;
  const { diagnostics } = crds({ objects: [rgd] });
  return diagnostics.map(({ severity, code, field, message }) => `${severity} ${code} ${field}: ${message}`);
}

/** The errors: the field, and the message. */
const refused = (schema: object): string[] =>
  all(schema)
    .filter((text) => text.startsWith('error '))
    .map((text) => text.replace('error ', '').replace('spec.schema.', ''));

const field = (text: unknown): string[] => refused({ spec: { u: text } });

// Each of these was validated with k8s.io/apiextensions-apiserver v0.36.3, ValidateCustomResourceDefinition: the API
// server rejects the CRDs of the first list and accepts those of the second.
describe('a CRD that an API server rejects', () => {
  it.each<[object | string, string]>([
    // An API server uses a default as its own earlier value.
    [`string | validation="self != oldSelf" default=b`, 'schema-default spec.u'],
    [`integer | validation="self > oldSelf" default=2`, 'schema-default spec.u'],
    ['[]Fixed | maxItems=10', "crd-refused spec.u.id: 'self == oldSelf' compares with an earlier value"],
    ['[]FixedList | maxItems=10', "crd-refused spec.u.id: 'self == oldSelf' compares"],
    ['[]Part | uniqueItems=true', 'crd-refused spec.u: a set'],
    ['[]object | listType=set', 'crd-refused spec.u: a set'],
    ['[]map[string]string | listType=set', 'crd-refused spec.u: a set'],
    ['[]string | listType=map listMapKey=id', 'crd-refused spec.u: listType=map needs items that are structs'],
    ['[]Part | listType=map', 'crd-refused spec.u: listType=map needs a listMapKey'],
    ['[]Part | listType=map listMapKey=x', 'crd-refused spec.u: listMapKey=x is no field'],
    ['[]Part | listType=map listMapKey=id', 'crd-refused spec.u: listMapKey=id must be required'],
    ['[]object | listType=map listMapKey=n', 'crd-refused spec.u: listMapKey=n is no field'],
    ['[]Keyed | listType=map listMapKey=list', 'crd-refused spec.u: listMapKey=list must be a string'],
    ['integer | minimum=0.5', 'crd-refused spec.u: minimum=0.5 is no whole number'],
    ['integer | maximum=1.5', 'crd-refused spec.u: maximum=1.5 is no whole number'],
    ['integer | maximum=9223372036854775807', 'crd-refused spec.u: maximum=9223372036854775808 is out of range'],
    ['integer | maximum=9223372036854775296', 'crd-refused spec.u: maximum=9223372036854775808 is out of range'],
    ['integer | minimum=1e300', 'crd-refused spec.u: minimum=1e+300 is out of range'],
    ['integer | minimum=-9223372036854775808', 'crd-refused spec.u: minimum=-9223372036854775808 is out of range'],
    ['integer | minimum=-1e19', 'crd-refused spec.u: minimum=-10000000000000000000 is out of range'],
    ['object | validation="self.a == 1"', "validation-rule spec.u: the validation rule 'self.a == 1' is wrong"],
    ['object | validation="has(self.a)"', 'validation-rule spec.u: '],
    ['[]object | validation="self.all(o, o.x == 1)"', 'validation-rule spec.u: '],
    ['map[string]object | validation="self.all(k, self[k].x == 1)"', 'validation-rule spec.u: '],
    [`string | validation="self == 'a'" default=b`, 'schema-default spec.u: the default is rejected'],
    ['Keyed | default={}', 'schema-default spec.u: the default is rejected: default.id: Required value'],
    [{ kind: 'DNS' }, "crd-refused kind: the plural 'dnsDNSes' is no name"],
    [{ kind: `A${'a'.repeat(59)}` }, 'crd-refused kind: the kind has more than 59 characters'],
    [{ group: 'nodots' }, "crd-refused group: the group 'nodots' needs a dot"],
    [{ group: 'x.k8s.io' }, "crd-refused group: the group 'x.k8s.io' is protected"],
    [{ group: 'kubernetes.io' }, "crd-refused group: the group 'kubernetes.io' is protected"],
    [{ shortNames: ['a', 'WA'] }, "crd-refused shortNames[1]: 'WA' is no name"],
    [{ shortNames: ['a'.repeat(64)] }, 'crd-refused shortNames[0]: '],
    [{ shortNames: ['a', 'b', 'a'] }, "crd-refused shortNames[2]: 'a' is a duplicate"],
    [
      { categories: Array.from({ length: 33 }, (_, index) => `a${index}`) },
      'crd-refused categories: there are more than 32',
    ],
    [{ categories: ['A_'] }, "crd-refused categories[0]: 'A_' is no name"],
    [{ metadata: { labels: { 'a b': 'c' } } }, 'crd-refused metadata.labels["a b"]: '],
    [{ metadata: { labels: { a: 'c d' } } }, 'crd-refused metadata.labels.a: '],
    [{ metadata: { annotations: { 'a b': 'c' } } }, 'crd-refused metadata.annotations["a b"]: '],
    [column({ type: 'strin' }), 'crd-refused additionalPrinterColumns[0].type: the type is one of'],
    [column({ jsonPath: 'spec.u' }), 'crd-refused additionalPrinterColumns[0].jsonPath: '],
    [column({ name: '' }), 'crd-refused additionalPrinterColumns[0].name: '],
    [column({ format: 'bogus' }), 'crd-refused additionalPrinterColumns[0].format: '],
  ])('%j', (given, expected) => {
    const found = typeof given === 'string' ? field(given) : refused(given);
    expect(found).toHaveLength(1);
    expect(found[0]?.slice(0, expected.length)).toBe(expected);
  });

  it('is a warning for a default {} that kro adds', () => {
    const given = {
      spec: { u: 'W | validation="self.low < self.high"' },
      types: { W: { low: 'integer | default=8', high: 'integer' } },
    };
    expect(refused(given)).toEqual([]);
    expect(all(given)).toEqual([
      expect.stringContaining('warning crd-refused spec.schema.spec.u: an API server rejects the default {}'),
    ]);
  });

  it('is reported once, however often a type is used', () => {
    expect(refused({ spec: { a: '[]Part | uniqueItems=true', b: 'Part' } })).toHaveLength(1);
    expect(refused({ spec: { a: '[]FixedList | maxItems=10', b: '[]FixedList | maxItems=10' } })).toHaveLength(1);
  });
});

describe('a CRD that an API server accepts', () => {
  it.each<[object | string]>([
    ['Fixed'],
    ['map[string]string | immutable=true'],
    ['[]string | immutable=true'],
    ['object | immutable=true'],
    ['[]KeyedFixed | listType=map listMapKey=k maxItems=10'],
    ['[][]string | listType=set'],
    ['[]Keyed | listType=map listMapKey=id'],
    ['[]Keyed | listType=map listMapKey=n'],
    ['float | minimum=0.5'],
    ['integer | minimum=5 maximum=2'],
    ['string | minLength=-1'],
    ['string | validation="self == oldSelf" default=b'],
    [`string | validation="self == 'a'" default=a`],
    [{ kind: `A${'a'.repeat(58)}` }],
    [{ shortNames: ['app', 'a-1'], categories: ['all'] }],
    [{ group: 'x.k8s.io', metadata: { annotations: { 'api-approved.kubernetes.io': 'unapproved, a test' } } }],
    [{ metadata: { labels: { 'example.com/a': 'b' }, annotations: { 'Example.com/A': 'any text' } } }],
    [column({ format: 'int32', type: 'integer' })],
  ])('%j', (given) => expect(typeof given === 'string' ? field(given) : refused(given)).toEqual([]));
});

function column(over: object): object {
  return { additionalPrinterColumns: [{ name: 'A', type: 'string', jsonPath: '.spec.u', ...over }] };
}
