import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Comparison, ObjectChange } from '../../../src/compare/diff/index.ts';

import { compare, packageOf } from './versions.ts';

const MAP = '{apiVersion: v1, kind: ConfigMap, metadata: {name: "${schema.spec.name}"}, data: {v: "a"}}';
const changesOf = ({ changes }: Comparison): unknown[] =>
  changes.map(({ change, before, after, fields }) => [
    change,
    before?.object.kind,
    after?.object.kind,
    fields.map(({ path }) => path).filter((path) => !path.includes('labels')),
  ]);

describe('the comparison of two renderings', () => {
  it('reports no changes when nothing changed', () => {
    const text = packageOf({ map: MAP });
    expect(compare(text, text)).toMatchObject({ changes: [], warnings: [], counts: { unchanged: 1, changed: 0 } });
  });

  it('reports objects and fields that differ', () => {
    const before = packageOf({ map: MAP, gone: MAP.replace('${schema.spec.name}', 'gone') });
    const after = packageOf({
      map: MAP.replace('{v: "a"}', '{v: "b", w: "c"}'),
      young: MAP.replace('${schema.spec.name}', 'young'),
    });
    const comparison = compare(before, after);
    expect(changesOf(comparison)).toEqual([
      ['changed', 'ConfigMap', 'ConfigMap', ['data.v', 'data.w']],
      ['removed', 'ConfigMap', undefined, []],
      ['added', undefined, 'ConfigMap', []],
    ]);
    expect(comparison.counts).toEqual({ added: 1, removed: 1, changed: 1, replaced: 0, unchanged: 0 });
  });

  it('reports an object of a node with another identity as replaced', () => {
    const template = { map: MAP };
    const renamed = compare(packageOf(template), packageOf(template, '{name: b}'));
    expect(changesOf(renamed)).toEqual([['replaced', 'ConfigMap', 'ConfigMap', ['metadata.name']]]);
    const kind = compare(
      packageOf(template),
      packageOf({ map: MAP.replace('ConfigMap', 'Secret').replace(', data', ', stringData') }),
    );
    expect(kind.counts.replaced).toBe(1);
  });

  it('matches items of a collection by their index first', () => {
    const template = {
      map: `${MAP.replace('${schema.spec.name}', '${schema.metadata.name + i}')}\n      forEach: [{i: "\${schema.spec.items}"}]`,
    };
    const items = (list: string) => packageOf(template, `{items: ${list}}`);
    const swapped = compare(items('[a, b]'), items('[b, a]'));
    expect(swapped.counts).toMatchObject({ changed: 2, replaced: 0, added: 0, removed: 0 });
    expect(compare(items('[a, b]'), items('[a, c]')).counts).toMatchObject({ replaced: 1, unchanged: 1 });
    expect(compare(items('[a]'), items('[a, c]')).counts).toMatchObject({ added: 1, changed: 1 });
  });

  it('reports an object in a renamed nested instance as replaced', () => {
    const outer = `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: outer}
spec:
  schema: {apiVersion: v1alpha1, kind: Outer, spec: {name: string}}
  resources:
    - id: inner
      template: {apiVersion: kro.run/v1alpha1, kind: Thing, metadata: {name: "\${schema.spec.name}"}, spec: {name: "\${schema.spec.name}"}}
`;
    const text = (name: string) =>
      `${outer}---\n${packageOf({ map: MAP })}---\n{apiVersion: kro.run/v1alpha1, kind: Outer, metadata: {name: o, namespace: ns}, spec: {name: ${name}}}\n`;
    expect(compare(text('x'), text('w')).counts).toEqual({
      added: 0,
      removed: 0,
      changed: 0,
      replaced: 1,
      unchanged: 1,
    });
  });

  it('compares other objects too if they are printed', () => {
    const before = '{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}\n';
    expect(compare(before, `${before}---\n${before.replace('name: a', 'name: b')}`, true).counts).toMatchObject({
      added: 1,
      unchanged: 1,
    });
  });
});

const swapped = ({ change, before, after, shown, fields }: ObjectChange): unknown => ({
  change: change === 'added' ? 'removed' : change === 'removed' ? 'added' : change,
  before: after?.object,
  after: before?.object,
  shown: JSON.stringify([shown.after, shown.before], text)
    .replaceAll('before)', 'AFTER)')
    .replaceAll('after)', 'before)')
    .replaceAll('AFTER)', 'after)'),
  fields: fields.map(({ path }) => path),
});
const straight = ({ change, before, after, shown, fields }: ObjectChange): unknown => ({
  change,
  before: before?.object,
  after: after?.object,
  shown: JSON.stringify([shown.before, shown.after], text),
  fields: fields.map(({ path }) => path),
});
const text = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);

function expectMirrored(one: string, other: string): void {
  const there = compare(one, other);
  const back = compare(other, one);
  expect(back.changes.map(swapped)).toEqual(there.changes.map(straight));
  const { added, removed, ...same } = there.counts;
  expect(back.counts).toEqual({ added: removed, removed: added, ...same });
}

describe('the comparison in the other direction is the mirror image', () => {
  const identifiers = fc.constantFrom('a', 'b', 'c', 'd');
  const template = fc
    .record({ kind: fc.constantFrom('ConfigMap', 'Secret'), name: identifiers, value: identifiers })
    .map(
      ({ kind, name, value }) => `{apiVersion: v1, kind: ${kind}, metadata: {name: n-${name}}, data: {v: ${value}}}`,
    );
  const packages = fc
    .uniqueArray(fc.tuple(identifiers, template), { selector: ([id]) => id, maxLength: 4 })
    .chain((nodes) => {
      const names = new Set(nodes.map(([, one]) => /kind: \w+, metadata: \{name: ([\w-]+)/.exec(one)?.[0]));
      return names.size === nodes.length && nodes.length > 0
        ? fc.constant(packageOf(Object.fromEntries(nodes)))
        : fc.constant(packageOf({ z: MAP }));
    });

  it('for any two packages', () => {
    fc.assert(fc.property(packages, packages, expectMirrored), { numRuns: 60 });
  });

  const examples = fileURLToPath(new URL('../../../examples', import.meta.url));
  it.each(['collections/input', 'kpt/package', 'kustomize/base'])('for the example %s and a change of it', (path) => {
    const files = readdirSync(`${examples}/${path}`).filter(
      (name) => name.endsWith('.yaml') && name !== 'kustomization.yaml',
    );
    const whole = files.map((name) => readFileSync(`${examples}/${path}/${name}`, 'utf8')).join('\n---\n');
    const changed = whole
      .replace(/(image: [^\n]*:)[\d.]+/, '$10')
      .replace(/\$\{schema\.metadata\.name\}-/, '${schema.metadata.name}-x-');
    expect(changed).not.toBe(whole);
    expectMirrored(whole, changed);
  });
});
