import { describe, expect, it } from 'vitest';
import { render } from '../../../src/api/index.ts';
import { literalFaults } from '../../../src/kro/compile/fields.ts';
import type { Schema } from '../../../src/kubernetes/schema/schema.ts';
import { parse } from '../../../src/languages/cel/index.ts';
import { rgd, service } from '../../core/diagnostics/examples/objects.ts';

const port: Schema = { type: 'object', properties: { name: { type: 'string' }, port: { type: 'integer' } } };
const ports: Schema = { type: 'array', items: port };
const spec: Schema = { type: 'object', properties: { ports, main: port } };
const byName: Schema = { type: 'object', additionalProperties: port };

/** Returns the unknown keys of an expression, each with the text at its offset. */
function unknown(source: string, schema: Schema | undefined): string[] {
  const parsed = parse(source);
  if (!parsed.ok) throw new Error(parsed.issue.message);
  return literalFaults(parsed.expression.root, schema).map(({ key, offset }) => {
    expect(source.slice(offset + 1, offset + 1 + key.length)).toBe(key);
    return key;
  });
}

describe('a map literal in the place of an object', () => {
  it.each<[string, Schema]>([
    ['{"x": 1, "port": 2}', port],
    ['{?"x": v.?a}', port],
    ['{"main": {"x": 1}}', spec],
    ['{"ports": [{"port": 1}, {"x": 1}]}', spec],
    ['[{"x": 1}]', ports],
    ['v.a ? {"x": 1} : {"port": 1}', port],
    ['v.a ? {"port": 1} : {"x": 1}', port],
    ['v.a ? v.b : v.c ? v.d : {"x": 1}', port],
    ['v.a + [{"x": 1}]', ports],
    ['[{"x": 1}] + v.a', ports],
    ['v.map(i, {"x": i})', ports],
    ['v.map(i, i > 1, {"x": i})', ports],
    ['v.transformList(i, w, {"x": w})', ports],
    ['v.transformMap(k, w, {"x": w})', byName],
    ['v.transformMapEntry(k, w, {"x": w})', port],
    ['v.transformMapEntry(k, w, {k: {"x": w}})', byName],
    ['cel.bind(a, v.a, {"x": a})', port],
    ['v.?a.optMap(a, {"x": a})', port],
    ['v.?a.optFlatMap(a, optional.of({"x": a}))', port],
    ['v.?a.orValue({"x": 1})', port],
    ['optional.of({"x": 1}).or(v.?a)', port],
    ['v.merge({"x": 1})', port],
    ['{"x": 1}.merge(v)', port],
    ['{"any": {"x": 1}}', byName],
    ['{v.a: {"x": 1}}', byName],
  ])('%s has an unknown key', (source, schema) => {
    expect(unknown(source, schema)).toEqual(['x']);
  });

  it.each<[string, Schema | undefined]>([
    ['{"name": "a", "port": 2}', port],
    ['{"x": {"port": 2}}', byName],
    ['{v.key: 1}', port],
    ['dyn({"x": 1})', port],
    ['[{"x": 1}].size()', { type: 'integer' }],
    ['{"x": 1} == v ? {"port": 1} : {"port": 2}', port],
    ['[{"x": 1}].exists(i, i.x == 1)', { type: 'boolean' }],
    ['v.f({"x": 1})', port],
    ['{"x": 1}', undefined],
    ['{"x": 1}', { type: 'object' }],
    ['{"x": 1}', { type: 'object', additionalProperties: true }],
    ['{"x": 1}', { ...port, 'x-kubernetes-preserve-unknown-fields': true }],
    ['{"x": {"y": 1}}', { type: 'object', properties: { x: {} } }],
    ['[{"x": 1}]', { type: 'array' }],
  ])('%s has no unknown key', (source, schema) => {
    expect(unknown(source, schema)).toEqual([]);
  });

  it('has an error for every unknown key', () => {
    expect(unknown('[{"x": 1, "y": 2}] + v.map(i, {"z": 1})', ports)).toEqual(['x', 'y', 'z']);
  });
});

describe('the diagnostic of a map literal', () => {
  const check = (spec: object) => render({ objects: [rgd({}, [service(spec)])] }).diagnostics;

  it('names the field instead of a type mismatch', () => {
    expect(check({ ports: '${[{"prot": "80"}]}' })).toMatchObject([
      {
        severity: 'error',
        code: 'unknown-literal-field',
        stage: 'compile',
        node: 'service',
        field: 'spec.resources[0].template.spec.ports',
        message: "the kind has no field 'prot' here",
        hint: "did you mean 'port'?",
      },
    ]);
  });

  it('is a warning for a map in the place of a list, as kro accepts it, and names the field', () => {
    const spec = { containers: [], dnsConfig: '${{"nameservers": {"a": "b"}}}' };
    const node = { id: 'pod', template: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, spec } };
    expect(render({ objects: [rgd({}, [node])] }).diagnostics).toMatchObject([
      {
        severity: 'warning',
        code: 'doubtful-type',
        message: "the field 'nameservers' is a list, but this is a map",
        hint: 'write [{...}]',
      },
    ]);
  });

  it('has the position of the key', () => {
    const text = JSON.stringify(rgd({}, [service({ ports: "${[{'x': 80}]}" })]));
    const [found] = render({ objects: [{ file: 'a.json', text }] }).diagnostics;
    expect(text.slice((found?.column ?? 0) - 1)).toMatch(/^'x': 80/);
  });

  it('is omitted for a literal inside a longer text', () => {
    expect(check({ externalName: 'a ${string({"x": 1}.x)}' })).toEqual([]);
  });
});
