import { describe, expect, it } from 'vitest';
import { render } from '../../src/api/index.ts';

const API = 'fluxcd.controlplane.io/v1';
const map = (name: string, annotations = ''): string =>
  `{apiVersion: v1, kind: ConfigMap, metadata: {name: ${name}${annotations && `, annotations: {${annotations}}`}}}`;
const set = (name: string, spec: string): string =>
  `---\napiVersion: ${API}\nkind: ResourceSet\nmetadata: {name: ${name}, namespace: sea}\nspec:\n${spec.replace(/^(?=.)/gm, '  ')}\n`;
const steps = (...of: string[][]): string =>
  `steps:\n${of.map((objects, index) => `- {name: s${index}, resources: [${objects.join(', ')}]}`).join('\n')}`;
const dependsOn = (...entries: string[]): string => `dependsOn: [${entries.map((one) => `{${one}}`).join(', ')}]\n`;
const onSet = (name: string, namespace = ''): string =>
  `apiVersion: ${API}, kind: ResourceSet, name: ${name}${namespace && `, namespace: ${namespace}`}`;

const WAVE = 'argocd.argoproj.io/sync-wave';
const DEPENDS_ON = 'config.kubernetes.io/depends-on';

function ordered(text: string, order: 'argocd' | 'kpt' = 'argocd') {
  const { objects, diagnostics } = render({ objects: [{ file: 'set.yaml', text }] }, { order });
  const shown = objects.map(({ metadata }) => {
    const { name, annotations = {} } = metadata as { name: string; annotations?: Record<string, string> };
    return `${name} ${annotations[order === 'argocd' ? WAVE : DEPENDS_ON] ?? '-'}`;
  });
  const told = diagnostics.filter(({ severity }) => severity !== 'info').map(({ code, line }) => `${code} ${line}`);
  return { shown, told, diagnostics };
}

const rgd = `---
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: boat}
spec:
  schema: {apiVersion: v1alpha1, kind: Boat, spec: {inner: string}}
  resources:
  - {id: hull, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "hull-\${schema.metadata.name}"}}}
  - {id: mast, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "mast-\${hull.metadata.name}"}}}
`;
const boat = (name: string): string =>
  `{apiVersion: kro.run/v1alpha1, kind: Boat, metadata: {name: ${name}, namespace: sea}}`;

describe('the order of objects of ResourceSets', () => {
  it('is one wave without steps', () => {
    expect(ordered(set('a', `resources: [${map('x')}, ${map('v')}]`)).shown).toEqual(['x 0', 'v 0']);
  });

  it('follows the steps, with or without an empty step between them', () => {
    const text = set(
      'a',
      `${steps([map('x'), map('v')], [map('gone', 'fluxcd.controlplane.io/reconcile: disabled')], [map('z')])}`,
    );
    expect(ordered(text).shown).toEqual(['x 0', 'v 0', 'z 1']);
    expect(ordered(text, 'kpt').shown).toEqual(['x -', 'v -', 'z /ConfigMap/x,/ConfigMap/v']);
  });

  it('keeps waves of authors, and arranges others around them', () => {
    const text = set('a', steps([map('x', `${WAVE}: "4"`)], [map('v')], [map('z', `${WAVE}: "9"`)]));
    expect(ordered(text).shown).toEqual(['x 4', 'v 5', 'z 9']);
    const early = set('a', steps([map('x')], [map('v', `${WAVE}: "-3"`)]));
    expect(ordered(early).shown).toEqual(['x -4', 'v -3']);
    const wrong = set('a', steps([map('x', `${WAVE}: "4"`)], [map('v', `${WAVE}: "4"`)]));
    expect(ordered(wrong)).toMatchObject({ shown: [], told: ['wave-conflict 8'] });
  });

  it('has a warning for hooks that run before an earlier step', () => {
    const hook = map('v', 'argocd.argoproj.io/hook: PreSync');
    const { shown, told } = ordered(set('a', steps([map('x')], [map('w')], [hook])));
    expect(shown).toEqual(['x 0', 'w 1', 'v 0']);
    expect(told).toEqual(['hook-order 9']);
    expect(ordered(set('a', steps([hook], [map('x')]))).told).toEqual([]);
  });

  it('follows spec.dependsOn, with or without a namespace, in any order of the input', () => {
    const text =
      set('b', `${dependsOn(onSet('a'), onSet('elsewhere'))}resources: [${map('v')}]`) +
      set('c', `${dependsOn(onSet('b', 'sea'))}resources: [${map('z')}]`) +
      set('a', `resources: [${map('x')}]`);
    expect(ordered(text).shown).toEqual(['v 1', 'z 2', 'x 0']);
    expect(ordered(text, 'kpt').shown).toEqual(['v /ConfigMap/x', 'z /ConfigMap/v', 'x -']);
  });

  it('follows spec.dependsOn on an object, whatever renders it', () => {
    const one = 'apiVersion: v1, kind: ConfigMap, name: ';
    const text = (name: string): string => set('b', `${dependsOn(`${one}${name}`)}resources: [${map('v')}]`);
    expect(ordered(text('x') + set('a', `resources: [${map('x')}]`)).shown).toEqual(['v 1', 'x 0']);
    const plain = `---\n${map('x', `${WAVE}: "2"`)}\n`;
    expect(ordered(text('x') + plain).shown).toEqual(['v 3']);
    expect(ordered(`${text('x')}---\n${map('x')}\n`).shown).toEqual(['v 0']);
    const made = set('b', `${dependsOn(`${one}mast-hull-tug, namespace: sea`)}resources: [${map('v')}]`);
    expect(ordered(`${made}${rgd}---\n${boat('tug')}\n`).shown).toEqual(['v 2', 'hull-tug 0', 'mast-hull-tug 1']);
  });

  it('includes rendered instances and ResourceSets', () => {
    const inner = `{apiVersion: ${API}, kind: ResourceSet, metadata: {name: inner, namespace: sea}, spec: {resources: [${map('deep')}]}}`;
    const text = set('a', steps([map('x')], [boat('tug'), inner], [map('z')])) + rgd;
    expect(ordered(text).shown).toEqual(['x 0', 'hull-tug 1', 'mast-hull-tug 2', 'deep 1', 'z 3']);
    expect(ordered(text, 'kpt').shown.slice(1, 4)).toEqual([
      'hull-tug /ConfigMap/x',
      'mast-hull-tug /namespaces/sea/ConfigMap/hull-tug,/ConfigMap/x',
      'deep /ConfigMap/x',
    ]);
  });

  it('continues in a ResourceSet that an RGD renders', () => {
    const template = `{apiVersion: ${API}, kind: ResourceSet, metadata: {name: crew}, spec: {resourcesTemplate: '\${"{apiVersion: v1, kind: ConfigMap, metadata: {name: of-" + mast.metadata.name + "}}"}'}}`;
    const node = `  - id: crew\n    template: ${template}\n`;
    const last = `  - {id: flag, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "flag-\${crew.metadata.name}"}}}\n`;
    const text = `${rgd}${node}${last}---\n${boat('tug')}\n`;
    expect(ordered(text)).toMatchObject({
      told: expect.arrayContaining([]),
      shown: ['hull-tug 0', 'mast-hull-tug 1', 'of-mast-hull-tug 2', 'flag-crew 3'],
    });
  });

  it('is rejected if it has a cycle', () => {
    const text =
      set('a', `${dependsOn(onSet('b'))}resources: [${map('x')}]`) +
      set('b', `${dependsOn(onSet('a'))}resources: [${map('v')}]`);
    expect(ordered(text)).toMatchObject({ shown: [], told: ['order-cycle 5'] });
    expect(ordered(text, 'kpt').told).toEqual(['order-cycle 5']);
    expect(ordered(text).diagnostics.find(({ code }) => code === 'order-cycle')?.message).toContain('ResourceSet/b');
    const self = set('a', `${dependsOn('apiVersion: v1, kind: ConfigMap, name: x')}resources: [${map('x')}]`);
    expect(ordered(self).told).toEqual(['order-cycle 5']);
  });

  it('is omitted if it exceeds a limit', () => {
    const many = (name: string): string =>
      `{apiVersion: v1, kind: ConfigMap, metadata: {name: ${name}<< inputs.at >>}}`;
    const inputs = `inputs: [${Array.from({ length: 750 }, (_, n) => `{at: ${n}}`).join(', ')}]\n`;
    const text = set('a', `${inputs}${steps([many('x')], [many('v')])}`);
    expect(ordered(text, 'kpt').told).toEqual(['budget-exceeded 5']);
    expect(ordered(text).shown.at(-1)).toBe('v749 1');
  });
});
