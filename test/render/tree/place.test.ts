import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { folded, type Layout, type Placeable, parseLayout, placeObjects } from '../../../src/render/tree/place.ts';

const item = (kind: string, name: string, namespace = '', apiVersion = 'v1'): Placeable => ({
  object: { apiVersion, kind, metadata: { name, ...(namespace === '' ? {} : { namespace }) } },
  instance: '',
  folder: '',
});
const layoutOf = (template: string): Layout => {
  const layout = parseLayout(template, 'yaml');
  if ('fault' in layout) throw new Error(layout.fault);
  return layout;
};
const paths = (items: readonly Placeable[], template = ''): string[] => {
  const { placed, clashes } = placeObjects(items, layoutOf(template));
  expect(clashes).toEqual([]);
  return placed.map(({ path }) => path);
};

describe('the files of objects', () => {
  it('are named by namespace, kind and name', () => {
    expect(paths([item('Deployment', 'blog', 'web'), item('Namespace', 'web')])).toEqual([
      'web/deployment-blog.yaml',
      'namespace-web.yaml',
    ]);
  });

  it('are named by any field of a layout', () => {
    const one = { ...item('Deployment', 'x', '', 'apps/v1'), instance: 'shop', folder: 'teams/a' };
    expect(paths([one], 'out/{folder}/{instance}/{group}_{version}_{kind}-{name}.yml')).toEqual([
      'out/teams/a/shop/apps_v1_deployment-x.yml',
    ]);
    expect(paths([item('Pod', 'x')], '{folder}/{instance}/{group}-{kind}-{name}.yaml')).toEqual(['core-pod-x.yaml']);
  });

  it('differ in more than case', () => {
    const roles = ['X', 'x', 'y'].map((name) => item('Role', name, 'a'));
    const [one = '', other = '', third] = paths(roles);
    expect(one).toMatch(/^a\/role-X-[0-9a-f]{8}\.yaml$/);
    expect(other).toMatch(/^a\/role-x-[0-9a-f]{8}\.yaml$/);
    expect(folded(one)).not.toBe(folded(other));
    expect(third).toBe('a/role-y.yaml');
  });

  it('are distinct if kinds of two groups have one name', () => {
    const [one, other] = paths([item('Service', 'x', '', 'a.dev/v1'), item('Service', 'x', '', 'b.dev/v1')]);
    expect(one).not.toBe(other);
  });

  it('have names that are valid in every file system', () => {
    expect(paths([item('ClusterRole', 'system:node')])[0]).toMatch(/^clusterrole-system_node-[0-9a-f]{8}\.yaml$/);
    expect(paths([item('Pod', 'x', 'con')])[0]).toMatch(/^con_-[0-9a-f]{8}\/pod-x\.yaml$/);
    const [long = '', other] = paths([item('Pod', `${'a'.repeat(250)}b`), item('Pod', `${'a'.repeat(250)}c`)]);
    expect(long.length).toBeLessThanOrEqual(120);
    expect(long).not.toBe(other);
  });

  it('are beside a folder of the same name', () => {
    const [file = '', below] = paths([item('Pod', 'x.yaml'), item('Pod', 'y', 'pod-x.yaml.yaml')]);
    expect(file).toMatch(/^pod-x\.yaml-[0-9a-f]{8}\.yaml$/);
    expect(below).toBe('pod-x.yaml.yaml/pod-y.yaml');
  });

  it('keep their names if others are added', () => {
    const [alone] = paths([item('Pod', 'x', 'a')]);
    expect(paths([item('Pod', 'w', 'a'), item('Pod', 'x', 'a'), item('Pod', 'x', 'b')])[1]).toBe(alone);
  });

  it('are shared if the layout names one file', () => {
    const { clashes } = placeObjects([item('Pod', 'x', 'a'), item('Pod', 'x', 'a')], layoutOf(''));
    expect(clashes.map(({ path }) => path)).toEqual([expect.stringMatching(/^a\/pod-x-[0-9a-f]{8}\.yaml$/)]);
  });

  it('are unique for any names', () => {
    const unit = fc.constantFrom('a', 'A', 'b', ':', '.', '-', 'con', 'nul');
    const name = fc.string({ unit, minLength: 1, maxLength: 6 });
    const identities = fc.uniqueArray(fc.record({ kind: fc.constantFrom('A', 'Ba', 'B'), name, namespace: name }), {
      selector: ({ kind, name: own, namespace }) => `${kind}/${namespace}/${own}`,
      maxLength: 30,
    });
    fc.assert(
      fc.property(identities, fc.constantFrom('', '{name}/{kind}.yaml', '{kind}-{name}.yaml'), (all, template) => {
        const items = all.map(({ kind, name: own, namespace }) => item(kind, own, namespace));
        const made = paths(items, template).map(folded);
        expect(new Set(made).size).toBe(all.length);
        for (const path of made) expect(made.some((other) => other.startsWith(`${path}/`))).toBe(false);
      }),
    );
  });
});
