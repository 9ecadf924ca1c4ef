import { describe, expect, it } from 'vitest';
import { type JsonValue, type ObjectSource, validate } from '../../../src/api/index.ts';

/** A CRD whose `spec` has these fields. */
const crdWith = (properties: JsonValue): ObjectSource => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'vees.odd.dev' },
  spec: {
    group: 'odd.dev',
    scope: 'Namespaced',
    names: { kind: 'Vee', plural: 'vees' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } } },
      },
    ],
  },
});

const rgd = (kind: ObjectSource): ObjectSource => ({
  apiVersion: 'kro.run/v1alpha1',
  kind: 'ResourceGraphDefinition',
  metadata: { name: 'maker' },
  spec: {
    schema: { apiVersion: 'v1alpha1', kind: 'Maker', spec: { value: 'object' } },
    resources: [{ id: 'made', template: { metadata: { name: 'x' }, ...kind } }],
  },
});

const maker = (value: JsonValue): ObjectSource => ({
  apiVersion: 'kro.run/v1alpha1',
  kind: 'Maker',
  metadata: { name: 'x' },
  spec: { value },
});

const vee: ObjectSource = { apiVersion: 'odd.dev/v1', kind: 'Vee', spec: '${dyn(schema.spec.value)}' };

const found = (objects: ObjectSource[]): string[] =>
  validate({ objects }, { disable: ['lint-unread-field'] }).diagnostics.map(
    ({ severity, code, message, field }) =>
      `${severity} ${code} ${field?.replace(/.*template\.?/, '')}: ${message.replace(/^the API server rejects this \w+: /, '')}`,
  );

const text = { type: 'string', maxLength: 20 };
const rule = (validation: JsonValue): JsonValue => ({ ...text, 'x-kubernetes-validations': [validation] });

describe('the validation of custom objects', () => {
  it.each<[string, JsonValue, JsonValue, string[]]>([
    [
      'a required null',
      { o: { type: 'object', properties: { a: { type: 'number', nullable: true } }, required: ['a'] } },
      { o: { a: null } },
      [],
    ],
    ['a rule on a null', { s: { ...(rule({ rule: "self == 'a'" }) as object), nullable: true } }, { s: null }, []],
    ['a fraction', { n: { type: 'number', multipleOf: 0.1 } }, { n: -0.5 }, []],
    [
      'defaults before bounds',
      {
        o: {
          type: 'object',
          properties: { a: { type: 'integer', default: 1 }, b: { type: 'integer' } },
          maxProperties: 1,
        },
      },
      { o: { b: 1 } },
      ['error rendered-value spec.o: spec.o: should have at most 1 properties'],
    ],
    [
      'a format',
      { s: { ...text, format: 'ipv4' } },
      { s: 'nope' },
      ['error rendered-value spec.s: spec.s: must be of type ipv4'],
    ],
    ['an unknown field', { s: text }, { zz: 1 }, ['error rendered-unknown-field spec.zz: unknown field "spec.zz"']],
    [
      'an embedded resource',
      { o: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true } },
      { o: { kind: 'Pod' } },
      ['error rendered-required spec.o.apiVersion: spec.o.apiVersion: Required value'],
    ],
    [
      'a rule that a new object breaks',
      { s: rule({ rule: 'oldSelf.hasValue()', optionalOldSelf: true }) },
      { s: 'a' },
      ['error rendered-rule spec.s: failed rule: oldSelf.hasValue()'],
    ],
    [
      'a rule on an earlier value, if there is one',
      { s: rule({ rule: 'oldSelf.orValue(self) == self', optionalOldSelf: true }) },
      { s: 'a' },
      [],
    ],
    ['a rule on an earlier value', { s: rule({ rule: "self == oldSelf && self == 'b'" }) }, { s: 'a' }, []],
    [
      'messageExpression',
      { s: rule({ rule: "self == 'a'", messageExpression: "'not a but ' + self" }) },
      { s: 'b' },
      ['error rendered-rule spec.s: not a but b'],
    ],
    [
      'a messageExpression that fails, is empty, too long or of several lines',
      Object.fromEntries(
        ['string(1 / 0)', "''", "'a'.split('').map(x, 'ab').join('').substring(9)", "'a\\nb'"].map(
          (messageExpression, index) => [
            `s${index}`,
            rule({ rule: "self == 'a'", message: 'only a', messageExpression }),
          ],
        ),
      ),
      { s0: 'b', s1: 'b', s2: 'b', s3: 'b' },
      [0, 1, 2, 3].map((index) => `error rendered-rule spec.s${index}: only a`),
    ],
    [
      'fieldPath',
      {
        o: {
          type: 'object',
          properties: { a: text },
          'x-kubernetes-validations': [{ rule: "self.a == 'a'", fieldPath: '.a' }],
        },
      },
      { o: { a: 'b' } },
      ["error rendered-rule spec.o.a: failed rule: self.a == 'a'"],
    ],
    [
      'the names of an embedded resource in rules',
      {
        o: {
          type: 'object',
          'x-kubernetes-embedded-resource': true,
          'x-kubernetes-preserve-unknown-fields': true,
          'x-kubernetes-validations': [{ rule: "self.metadata.name == 'a'" }],
        },
      },
      { o: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'b' } } },
      ["error rendered-rule spec.o: failed rule: self.metadata.name == 'a'"],
    ],
  ])('%s', (_, properties, value, expected) =>
    expect(found([crdWith(properties), rgd(vee), maker(value)])).toEqual(expected),
  );

  it('checks metadata against the schema of the CRD', () => {
    const crd = crdWith({ s: text });
    const [version] = (crd.spec as { versions: { schema: { openAPIV3Schema: { properties: object } } }[] }).versions;
    Object.assign(version?.schema.openAPIV3Schema.properties ?? {}, {
      metadata: { type: 'object', properties: { name: { type: 'string', maxLength: 3 } } },
    });
    const named = { ...vee, metadata: { name: 'long' } };
    expect(found([crd, rgd(named), maker({ s: 'a' })])).toEqual([
      'error rendered-value metadata.name: metadata.name: should be at most 3 chars long',
    ]);
  });
});

it("an unknown field of Kubernetes' own kinds is a warning, because a cluster may be newer", () => {
  const pod = { apiVersion: 'v1', kind: 'Service', spec: '${dyn(schema.spec.value)}' };
  expect(found([rgd(pod), maker({ zz: 1, ports: [{ port: 1 }] })])).toEqual([
    'warning rendered-unknown-field spec.zz: unknown field "spec.zz"',
  ]);
});
