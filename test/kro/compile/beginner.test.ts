import { describe, expect, it } from 'vitest';
import { type Diagnostic, type ObjectSource, validate } from '../../../src/api/index.ts';

/** Returns the diagnostics of an RGD whose node has the given parts. */
function diagnosticsOf(node: object, instance: object = { port: 80n }): readonly Diagnostic[] {
  const rgd = {
    apiVersion: 'kro.run/v1alpha1',
    kind: 'ResourceGraphDefinition',
    metadata: { name: 'shop' },
    spec: {
      schema: {
        apiVersion: 'v1',
        kind: 'Shop',
        spec: { port: 'integer', name: 'string', on: 'boolean', items: '[]Item', names: '[]string' },
        types: { Item: { name: 'string' } },
      },
      resources: [{ id: 'one', ...node }],
    },
  };
  const object = { apiVersion: 'kro.run/v1', kind: 'Shop', metadata: { name: 's', namespace: 'n' }, spec: instance };
  return validate({ objects: [rgd, object] as unknown as ObjectSource[] }).diagnostics;
}

const map = (data: object, more: object = {}): object => ({
  ...more,
  template: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data },
});
const errors = (all: readonly Diagnostic[]): string[] =>
  all.filter(({ severity }) => severity === 'error').map(({ code, hint }) => `${code}: ${hint}`);

describe('a typical error in a first RGD has one diagnostic and a hint', () => {
  it.each([
    ['${schema.spec.port = 1}', 'write == to compare'],
    ['${schema.spec.port === 1}', 'write ==: CEL has no ==='],
    ['${schema.spec.on and schema.spec.on}', "write && in place of 'and'"],
    ['${schema.spec.on OR schema.spec.on}', "write || in place of 'OR'"],
    ['${not schema.spec.on}', "write ! in place of 'not'"],
    ['${schema.spec.on & schema.spec.on}', 'write && for a logical and'],
    ['${if schema.spec.on then "a"}', 'write CONDITION ? VALUE : OTHER'],
    ['${schema.spec.name\u00A0+ "a"}', 'this is a no-break space (U+00A0), which looks like a space or like nothing'],
    ['${schema.spec.name + \u201Ca\u201D}', 'this is the character U+201C: write " in its place'],
    ['${schema.spec.name.toLower()}', "did you mean 'lowerAscii'?"],
    ['${"a" + schema.spec.port}', 'convert the int to join it to a string: string(...)'],
    ['${schema.port}', "did you mean 'schema.spec.port'?"],
    ['${schema.namespace}', "did you mean 'schema.metadata.namespace'?"],
    ['${port}', "did you mean 'schema.spec.port'?"],
    ['${spec.name}', "did you mean 'schema.spec'?"],
    ['${True ? "a" : "b"}', "did you mean 'true'?"],
    ['${self.metadata.name}', "did you mean 'schema'?"],
    ['${schema.spec.on ? "a"}', 'write CONDITION ? VALUE : OTHER'],
    ['${schema.spec.name ?? "x"}', 'write OBJECT.?FIELD.orValue(OTHER) in place of ??'],
    ['${schema.spec?.name}', 'write OBJECT.?FIELD in place of OBJECT?.FIELD'],
    ['${schema.spec.name.orValue("x")}', 'read the field as OBJECT.?FIELD'],
    ['${default(schema.spec.name, "x")}', 'write OBJECT.?FIELD.orValue(OTHER)'],
    ['${schema.spec.name | upper}', 'functions are called: upperAscii(...)'],
    ['${schema.spec.names.map(n => n)}', 'write LIST.map(ITEM, VALUE)'],
    ['${schema.spec.names.map(n -> n)}', 'write LIST.map(ITEM, VALUE)'],
    ['${[n for n in schema.spec.names]}', 'write LIST.map(ITEM, VALUE)'],
    ['${schema.spec.names.exists("a")}', 'write LIST.exists(ITEM, CONDITION)'],
    ['${exists(schema.spec.name)}', 'write has(OBJECT.FIELD)'],
    ['${schema.spec.names[*]}', 'write LIST.map(item, item.FIELD)'],
    ['${`a-${schema.spec.name}`}', 'join the parts with +: ${"a-" + NAME}'],
    ['${resources.schema.data}', 'write schema: a node is read by its id'],
    ['${service.spec.port}', 'the names here are schema'],
    [
      '${schema.metadata.labels.app-name}',
      '- subtracts; a field is read as app__dash__name, and a key of a map as ["app-name"]',
    ],
    ['${schema.spec.names.contains("a")}', 'write VALUE in LIST'],
    ['${"a" in schema.spec.name}', 'write TEXT.contains(PART)'],
    ['${schema.spec.name.length}', 'call the function: .size(...)'],
    ['${schema.spec.names.first}', 'call the function: .first(...)'],
    [
      '${schema.spec.name.replace("a")}',
      'write string.replace(string, string), or string.replace(string, string, int)',
    ],
    ['${base64.encode(schema.spec.name)}', 'write base64.encode(bytes)'],
    ['${json.stringify(schema.spec)}', 'the functions of json are json.encode, json.marshal, json.unmarshal'],
    ['${string(schema.spec)}', 'write json.marshal(...)'],
    ['${schema["spec"]}', 'select a field with a dot: OBJECT.FIELD'],
    ['${now()}', 'expressions have no clock'],
  ])('%s', (text, hint) => {
    const [first, ...others] = errors(diagnosticsOf(map({ a: text })));
    expect(first).toContain(hint);
    expect(others).toEqual([]);
  });

  it.each([
    ['a text that YAML reads as a map', map({ a: { 'schema.spec.name': null } }), '${schema.spec.name}'],
    ['a condition', map({}, { includeWhen: ['{schema.spec.on}'] }), 'write ${schema.spec.on}'],
    [
      'a condition that YAML reads as a map',
      map({}, { includeWhen: [{ 'schema.spec.on': null }] }),
      '${schema.spec.on}',
    ],
    ['a condition in two braces', map({}, { includeWhen: ['{{ schema.spec.on }}'] }), 'write ${schema.spec.on}'],
    ['a list', map({}, { forEach: [{ x: { 'schema.spec.names': null } }] }), '${schema.spec.names}'],
  ])('an expression without $: %s', (_, node, hint) => {
    const [first, ...others] = errors(diagnosticsOf(node));
    expect(first).toContain(hint);
    expect(others).toEqual([]);
  });

  it.each([
    [{ includeWhen: '${schema.spec.on}' }, 'write a list, with - before each item'],
    [{ forEach: { name: '${schema.spec.names}' } }, 'write a list, with - before each item'],
    [{ if: ['${schema.spec.on}'] }, "use 'includeWhen', a list of expressions"],
    [{ loop: [{ name: '${schema.spec.names}' }] }, "use 'forEach', a list of iterators"],
    [{ dependsOn: ['two'] }, 'leave it out: kro orders nodes by what their expressions read'],
    [{ id: 'my-config' }, 'for example myConfig'],
    [{ template: 'apiVersion: v1\nkind: ConfigMap\n' }, 'leave out the | or > that makes it a string'],
    [{ kind: 'ConfigMap' }, "put the object under 'template'"],
  ])('a field of another tool, or of another shape: %j', (more, hint) => {
    const [first, ...others] = errors(diagnosticsOf({ ...map({}), ...more }));
    expect(first).toContain(hint);
    expect(others).toEqual([]);
  });

  it('a field of an instance outside of its spec', () => {
    const rgd = {
      apiVersion: 'kro.run/v1alpha1',
      kind: 'ResourceGraphDefinition',
      metadata: { name: 'shop' },
      spec: { schema: { apiVersion: 'v1', kind: 'Shop', spec: { port: 'integer' } }, resources: [] },
    };
    const object = { apiVersion: 'kro.run/v1', kind: 'Shop', metadata: { name: 's', namespace: 'n' }, port: 80n };
    const { diagnostics } = validate({ objects: [rgd, object] as unknown as ObjectSource[] });
    expect(errors(diagnostics)).toEqual(['instance-unknown-field: did you mean spec.port?']);
  });

  it('an error in a validation rule', () => {
    const schema = { apiVersion: 'v1', kind: 'Shop', spec: { port: 'integer | validation="slef > 1"' } };
    const rgd = {
      apiVersion: 'kro.run/v1alpha1',
      kind: 'ResourceGraphDefinition',
      metadata: { name: 'shop' },
      spec: { schema, resources: [{ id: 'one', ...map({}) }] },
    };
    const { diagnostics } = validate({ objects: [rgd] as unknown as ObjectSource[] });
    expect(errors(diagnostics)).toEqual(["validation-rule: did you mean 'self'?"]);
  });

  it('a missing $ in the name of a collection', () => {
    const template = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a-{entry.name}' } };
    const node = { forEach: [{ entry: '${schema.spec.items}' }], template };
    expect(errors(diagnosticsOf(node))).toEqual([expect.stringContaining('an expression needs a $ before the brace')]);
  });

  it('an expression in an instance', () => {
    expect(errors(diagnosticsOf(map({}), { port: '${PORT}' }))).toEqual([
      'instance-type: only a template holds expressions: write the value',
    ]);
  });

  it.each(['yes', 'on', 'True', 'n'])('a string for a boolean: %s', (on) => {
    expect(errors(diagnosticsOf(map({}), { on }))).toEqual(['instance-type: write true or false, without quotes']);
    const spec = { publishNotReadyAddresses: on };
    const service = { template: { apiVersion: 'v1', kind: 'Service', metadata: { name: 'a' }, spec } };
    expect(errors(diagnosticsOf(service))).toEqual(['field-type: write true or false, without quotes']);
  });

  it.each(['x-${entry.name.toLower()}', 'x-${entry.nmae}', 'x-${entry.name', '${entry.name = "a"}'])(
    'an iterator in a wrong name is not reported as missing: %s',
    (name) => {
      const template = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } };
      const node = { forEach: [{ entry: '${schema.spec.items}' }], template };
      const codes = diagnosticsOf(node).map(({ code }) => code);
      expect(codes).toHaveLength(1 + Number(name.endsWith('name')));
      expect(codes.includes('iterator-not-in-identity')).toBe(name.endsWith('name'));
    },
  );
});
