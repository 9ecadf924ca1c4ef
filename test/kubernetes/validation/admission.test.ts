import { describe, expect, test } from 'vitest';
import type { Problem } from '../../../src/core/diagnostics/diagnostic.ts';
import { phrase } from '../../../src/core/diagnostics/index.ts';
import type { KubeObject } from '../../../src/core/model/object.ts';
import { formatPath, type Value, type ValueMap } from '../../../src/core/model/value.ts';
import { instanceSchema, toCrd, toOpenApi } from '../../../src/kro/simpleschema/index.ts';
import { compileAdmission, type RuleRunner } from '../../../src/kubernetes/validation/index.ts';
import { createBudget } from '../../../src/languages/cel/index.ts';
import { asReports } from '../../messages.ts';

const noRules: RuleRunner = { applies: () => false, run: () => undefined };

function admissionOf(spec: ValueMap, types: ValueMap = {}, rules = noRules) {
  const { schema, problems } = toOpenApi({ spec, types });
  expect(problems).toEqual([]);
  const crd = toCrd(
    { group: 'kro.run', version: 'v1', kind: 'Box', plural: undefined, namespaced: true, schema: {} },
    schema,
  );
  return compileAdmission(instanceSchema(crd), { rules });
}

const instance = (spec: Value, more: ValueMap = {}): KubeObject => ({
  apiVersion: 'kro.run/v1',
  kind: 'Box',
  metadata: { name: 'b' },
  spec,
  ...more,
});

function admitted(fields: ValueMap, spec: Value, types: ValueMap = {}): Value | undefined {
  const { object, problems } = admissionOf(fields, types).admit(instance(spec));
  expect(problems).toEqual([]);
  return object.spec;
}

const refused = (fields: ValueMap, spec: Value, types: ValueMap = {}): Problem[] =>
  admissionOf(fields, types).admit(instance(spec)).problems;

describe('defaults', () => {
  const fields = { name: 'string | default=jazz', pump: 'Pump | default={"model": "P"}', plain: 'string' };
  const types = { Pump: { model: 'string', watts: 'integer | default=40' } };

  test('fill missing fields, down to the members of a default', () => {
    expect(admitted(fields, {}, types)).toEqual({ name: 'jazz', pump: { model: 'P', watts: 40n } });
    const { object } = admissionOf(fields, types).admit({ apiVersion: 'a/b', kind: 'Box', metadata: { name: 'b' } });
    expect(object.spec).toEqual({ name: 'jazz', pump: { model: 'P', watts: 40n } });
  });

  test('replace a null, and a null without a default is removed', () => {
    expect(admitted(fields, { name: null, pump: null, plain: null }, types)).toEqual({
      name: 'jazz',
      pump: { model: 'P', watts: 40n },
    });
  });

  test('fill the values of maps and the items of lists', () => {
    expect(
      admitted({ map: 'map[string]Pump', list: '[]Pump' }, { map: { a: {}, b: null }, list: [{}] }, types),
    ).toEqual({
      map: { a: { watts: 40n }, b: { watts: 40n } },
      list: [{ watts: 40n }],
    });
  });

  test('fill a required field', () => {
    expect(admitted({ a: 'string | required=true default=x' }, {})).toEqual({ a: 'x' });
  });

  test('are new values each time', () => {
    const admission = admissionOf({ list: '[]string | default=["a"]', any: 'object | default={"a": {}}' });
    const [one, two] = [admission.admit(instance({})), admission.admit(instance({}))];
    expect(one.object.spec).toEqual(two.object.spec);
    expect((one.object.spec as ValueMap).list).not.toBe((two.object.spec as ValueMap).list);
    expect((one.object.spec as ValueMap).any).not.toBe((two.object.spec as ValueMap).any);
  });
});

describe('values', () => {
  test.each<[string, Value, Value]>([
    ['integer', 3, 3n],
    ['integer', 1000, 1000n],
    ['integer', -9223372036854775808n, -9223372036854775808n],
    ['float', 3n, 3],
    ['float', 2.5, 2.5],
    ['string | minLength=3 maxLength=4', 'žl🐎ť', 'žl🐎ť'],
    ['string | pattern="(?i)^err-[[:digit:]]+$"', 'ERR-7', 'ERR-7'],
    ['object', { a: [null, { b: 1.5 }] }, { a: [null, { b: 1.5 }] }],
    ['object', { big: 2n ** 63n, top: 2n ** 63n - 1n }, { big: 2 ** 63, top: 2n ** 63n - 1n }],
    // Bounds of whole numbers are whole.
    ['float | minimum=0.5', 0n, 0],
    ['float | maximum=-0.5', 0n, 0],
    // One that is too large for 64 bits is the least one.
    ['float | minimum=1e21', 0n, 0],
    ['[]integer', [1, 2n], [1n, 2n]],
  ])('of %s accept %s', (type, value, result) => {
    expect(admitted({ field: type }, { field: value })).toEqual({ field: result });
  });

  test.each<[string, Value, string, string, string | undefined]>([
    [
      'integer',
      '12',
      'instance-type',
      'spec.field in body must be of type integer: "string"',
      'write it without quotes',
    ],
    ['float', '1.5', 'instance-type', 'spec.field in body must be of type number: "string"', 'write it without quotes'],
    [
      'boolean',
      'true',
      'instance-type',
      'spec.field in body must be of type boolean: "string"',
      'write it without quotes',
    ],
    ['string', 12n, 'instance-type', 'spec.field in body must be of type string: "integer"', 'quote it: "12"'],
    [
      'string',
      true,
      'instance-type',
      'spec.field in body must be of type string: "boolean"',
      expect.stringContaining('YAML'),
    ],
    ['integer', 2.5, 'instance-type', 'spec.field in body must be of type integer: "number"', undefined],
    ['integer', 2n ** 63n, 'instance-type', 'spec.field in body must be of type integer: "number"', expect.anything()],
    ['integer', 1e20, 'instance-type', 'spec.field in body must be of type integer: "number"', undefined],
    [
      '[]string',
      'a',
      'instance-type',
      'spec.field in body must be of type array: "string"',
      expect.stringContaining('list'),
    ],
    [
      'map[string]string',
      [],
      'instance-type',
      'spec.field in body must be of type object: "array"',
      'write it as key: value',
    ],
    [
      'float | maximum=2.5',
      2.51,
      'instance-value',
      'spec.field in body should be less than or equal to 2.5',
      undefined,
    ],
    [
      'float | maximum=1e21',
      0n,
      'instance-value',
      'spec.field in body should be less than or equal to 1e+21, which is read as -9223372036854775808',
      undefined,
    ],
    [
      'float | minimum=0.5',
      0.4,
      'instance-value',
      'spec.field in body should be greater than or equal to 0.5',
      undefined,
    ],
    [
      'integer | minimum=0',
      -1n,
      'instance-value',
      'spec.field in body should be greater than or equal to 0',
      undefined,
    ],
    ['[]string | minItems=2', ['a'], 'instance-value', 'spec.field in body should have at least 2 items', undefined],
    ['[]string | maxItems=0', ['a'], 'instance-value', 'spec.field in body should have at most 0 items', undefined],
    ['string | minLength=2', '🐎', 'instance-value', 'spec.field in body should be at least 2 chars long', undefined],
    ['string | maxLength=1', 'ab', 'instance-value', 'spec.field in body should be at most 1 chars long', undefined],
    ['string | pattern=^a$', 'b', 'instance-value', "spec.field in body should match '^a$'", undefined],
    ['string | enum="S,M"', 'XL', 'instance-value', 'Unsupported value: "XL": supported values: "S", "M"', undefined],
    ['integer | enum="1,2"', 3n, 'instance-value', 'Unsupported value: 3: supported values: "1", "2"', undefined],
  ])('of %s reject %s', (type, value, code, message, hint) => {
    const problems = refused({ field: type }, { field: value });
    expect(asReports(problems)).toMatchObject([{ code, message, path: ['spec', 'field'] }]);
    expect(asReports(problems)[0]?.hint).toEqual(hint);
  });

  test('of a list without a default reject null', () => {
    expect(refused({ list: '[]string' }, { list: ['a', null] })).toMatchObject([{ path: ['spec', 'list', 1] }]);
  });
});

describe('structure', () => {
  test('reports every unknown field, with the closest name', () => {
    const problems = refused({ frame: { color: 'string' }, size: 'integer' }, { frame: { colour: 'red' }, other: 1n });
    expect(asReports(problems)).toMatchObject([
      { code: 'instance-unknown-field', message: 'unknown field "spec.frame.colour"', hint: 'did you mean color?' },
      { message: 'unknown field "spec.other"', hint: 'the fields here are frame, size' },
    ]);
  });

  test('rejects fields in a struct without fields', () => {
    expect(refused({ empty: {} }, { empty: { a: 1n } })).toMatchObject([{ hint: 'no fields are declared here' }]);
  });

  test('rejects fields beside spec', () => {
    const { problems } = admissionOf({}).admit(instance({}, { data: {} }));
    expect(asReports(problems)).toMatchObject([{ message: 'unknown field "data"' }]);
  });

  test('reports missing required fields', () => {
    const problems = refused({ a: 'string | required=true', b: { c: 'string | required=true' } }, { a: null, b: {} });
    expect(problems.map(({ path }) => formatPath(path))).toEqual(['spec.b.c', 'spec.a']);
    expect(asReports(problems)).toMatchObject([{ message: 'Required value' }, { code: 'instance-required' }]);
  });

  test('accepts a field named __proto__', () => {
    const fields = JSON.parse('{"__proto__": "string", "map": "map[string]string"}');
    const spec = JSON.parse('{"__proto__": "x", "map": {"__proto__": "y"}}');
    expect(JSON.stringify(admitted(fields, spec))).toBe('{"__proto__":"x","map":{"__proto__":"y"}}');
    expect(Object.hasOwn(admitted({ any: 'object' }, { any: spec }) as object, 'any')).toBe(true);
  });

  test('drops status, and does not change the instance', () => {
    const given = instance({ a: null }, { status: { x: 1n } });
    const { object, problems } = admissionOf({ a: 'string | default=x' }).admit(given);
    expect(problems).toEqual([]);
    expect(object).toEqual({ apiVersion: 'kro.run/v1', kind: 'Box', metadata: { name: 'b' }, spec: { a: 'x' } });
    expect(given).toEqual(instance({ a: null }, { status: { x: 1n } }));
  });
});

describe('lists with an identity', () => {
  test('a set rejects the second of equal items, once', () => {
    const problems = refused({ tags: '[]string | uniqueItems=true' }, { tags: ['a', 'b', 'a', 'a'] });
    expect(asReports(problems)).toMatchObject([
      { code: 'instance-duplicate', message: 'Duplicate value: "a"', path: ['spec', 'tags', 2] },
    ]);
  });

  test('a set with 1 and "1" and 1.0', () => {
    expect(refused({ n: '[]integer | listType=set' }, { n: [1n, 1] })).toHaveLength(1);
    expect(refused({ n: '[]string | listType=set' }, { n: ['1', '01'] })).toEqual([]);
  });

  test('a map rejects a second item with the same key', () => {
    const types = { Port: { name: 'string | required=true', protocol: 'string | default=TCP', number: 'integer' } };
    const ports = [
      { name: 'a', number: 1n },
      { name: 'a', protocol: 'UDP', number: 1n },
    ];
    expect(refused({ ports: '[]Port | listType=map listMapKey=name' }, { ports }, types)).toMatchObject([
      { path: ['spec', 'ports', 1], message: 'Duplicate value: {"name":"a"}' },
    ]);
    expect(refused({ ports: '[]Port | listType=map listMapKey=name listMapKey=protocol' }, { ports }, types)).toEqual(
      [],
    );
  });
});

describe('validation rules', () => {
  const ran: string[] = [];
  const rules: RuleRunner = {
    applies: ({ rule }) => rule !== 'self == oldSelf',
    run({ rule }, self, path) {
      ran.push(`${formatPath(path)} ${rule} ${JSON.stringify(self)}`);
      return rule.startsWith('bad') ? { code: 'rule-violated', message: phrase`${rule}`, path } : undefined;
    },
  };
  const fields = {
    box: 'Box | validation=whole',
    list: '[]Word',
    map: 'map[string]Word',
    fixed: 'string | immutable=true',
    text: 'string | validation=text',
  };
  const types = { Word: 'string | validation=word', Box: { inner: 'string | default=x validation=bad' } };

  test('run after defaulting, outer before inner, if they apply', () => {
    ran.length = 0;
    const spec = { box: {}, list: ['a'], map: { k: 'b' }, fixed: 'f', text: 't' };
    const { problems } = admissionOf(fields, types, rules).admit(instance(spec));
    expect(ran).toEqual([
      'spec.box whole {"inner":"x"}',
      'spec.box.inner bad "x"',
      'spec.list[0] word "a"',
      'spec.map.k word "b"',
      'spec.text text "t"',
    ]);
    expect(asReports(problems)).toMatchObject([{ code: 'rule-violated', path: ['spec', 'box', 'inner'] }]);
  });

  test('are skipped for an object that does not match its schema', () => {
    ran.length = 0;
    expect(admissionOf(fields, types, rules).admit(instance({ list: [1n] })).problems).toHaveLength(1);
    expect(ran).toEqual([]);
  });
});

describe('metadata', () => {
  const withMetadata = (metadata: Value | undefined) => {
    const { metadata: _, ...bare } = instance({});
    const given = metadata === undefined ? bare : { ...bare, metadata };
    return admissionOf({}).admit({ ...given, apiVersion: 'kro.run/v1', kind: 'Box' });
  };

  test.each<[string, Value | undefined, string, string | undefined]>([
    ['none', undefined, 'name is required', 'add metadata.name'],
    ['no name', { labels: {} }, 'name is required', 'add metadata.name'],
    ['a generated name', { generateName: 'a-' }, 'name is required', expect.stringContaining('every rendering')],
    ['a bad name', { name: 'Big Name' }, expect.stringContaining("'Big Name' is not a valid name"), undefined],
    [
      'a path for a namespace',
      { name: 'a', namespace: '../x' },
      expect.stringContaining('metadata.namespace: must be an RFC 1123 label'),
      undefined,
    ],
    [
      'a uid that is no label value',
      { name: 'a', uid: 'a b' },
      expect.stringContaining('metadata.uid: must be a label value'),
      undefined,
    ],
    ['an unknown field', { name: 'a', label: {} }, 'unknown field "metadata.label"', 'did you mean labels?'],
    [
      'a label that is a number',
      { name: 'a', labels: { n: 1n } },
      expect.stringContaining('metadata.labels.n'),
      'quote it: "1"',
    ],
    [
      'a bad label',
      { name: 'a', labels: { n: 'a b' } },
      expect.stringContaining('metadata.labels.n: must be a label value'),
      undefined,
    ],
    ['a list', [], 'metadata in body must be of type object: "array"', 'write it as key: value'],
  ])('%s', (_, metadata, message, hint) => {
    const { problems } = withMetadata(metadata);
    expect(asReports(problems)).toMatchObject([{ message }]);
    expect(asReports(problems)[0]?.hint).toEqual(hint);
  });

  test('accepts fields of a cluster, and drops nulls', () => {
    const { object, problems } = withMetadata({
      name: 'a',
      namespace: 'n',
      uid: 'u',
      generation: 1n,
      creationTimestamp: null,
      annotations: { 'a.b/c': 'any thing', gone: null },
      managedFields: [{ manager: 'm' }],
    });
    expect(problems).toEqual([]);
    expect(Object.keys(object.metadata as object)).toEqual([
      'name',
      'namespace',
      'uid',
      'generation',
      'annotations',
      'managedFields',
    ]);
    expect(object.metadata).toMatchObject({ annotations: { 'a.b/c': 'any thing' } });
  });
});

describe('limits of validation', () => {
  const rules: RuleRunner = {
    applies: () => true,
    run: (_rule, _self, _path, budget) => {
      budget.steps += 10;
      return undefined;
    },
  };
  const fields = { items: '[]Item' };
  const types = { Item: { a: 'string | validation="self != \\"\\""' } };
  const items = (count: number): Value => ({ items: Array.from({ length: count }, () => ({ a: 'x' })) });

  test('a rule that exceeds its budget is reported once', () => {
    const admission = admissionOf(fields, types, rules);
    const budget = () => createBudget({ maxSteps: 100 });
    expect(admission.admit(instance(items(40)), budget()).problems).toEqual([]);
    const { problems } = admission.admit(instance(items(60)), budget());
    expect(problems.map(({ code, path }) => `${code} ${formatPath(path)}`)).toEqual([
      'budget-exceeded spec.items[40].a',
    ]);
  });

  test('an instance has at most 500,000 values, including defaults', () => {
    const hundred = Object.fromEntries(Array.from({ length: 99 }, (_, index) => [`f${index}`, 'string | default=x']));
    const admission = admissionOf(fields, { Item: hundred });
    const list = (count: number): Value => ({ items: Array.from({ length: count }, () => ({})) });
    expect(admission.admit(instance(list(4999))).problems).toEqual([]);
    const { problems } = admission.admit(instance(list(50_000)));
    expect(problems.map(({ code }) => code)).toEqual(['instance-too-large']);
  });

  test('at most a thousand errors are reported', () => {
    const { problems } = admissionOf({}).admit(
      instance(Object.fromEntries(Array.from({ length: 3000 }, (_, i) => [`f${i}`, 'x']))),
    );
    expect(problems.length).toBe(1000);
  });
});
