import { describe, expect, it } from 'vitest';
import { comparisonJson, comparisonMarkdown, comparisonText } from '../../../src/compare/diff/index.ts';
import { compare, packageOf } from './versions.ts';

const shownOf = (before: string, after: string): string => {
  const comparison = compare(before, after, true);
  return [comparisonText(comparison), comparisonJson(comparison), comparisonMarkdown(comparison)].join('\n');
};
const secret = (data: string) =>
  packageOf({
    kept: `{apiVersion: v1, kind: Secret, metadata: {name: kept}, stringData: ${data}}`,
    copy: '{apiVersion: v1, kind: ConfigMap, metadata: {name: copy}, data: {url: "${kept.stringData.p + \'@host\'}", plain: "${schema.metadata.name}"}}',
  });

describe('a value of a Secret', () => {
  it('is hidden wherever it flows, but its change is reported', () => {
    const shown = shownOf(secret('{p: hunter2, q: same}'), secret('{p: hunter3, q: same}'));
    expect(shown).not.toMatch(/hunter/);
    const text = comparisonText(compare(secret('{p: hunter2, q: same}'), secret('{p: hunter3, q: same}')));
    expect(text).toContain('  @@ stringData.p @@\n  -p: (hidden, before)\n  +p: (hidden, after)\n\n');
    expect(text).toContain('  @@ data.url @@\n  -url: (hidden, before)\n  +url: (hidden, after)\n\n');
  });

  it('is hidden in an added or removed object', () => {
    const nothing = packageOf({ other: '{apiVersion: v1, kind: ConfigMap, metadata: {name: other}}' });
    expect(shownOf(secret('{p: hunter2}'), nothing)).not.toMatch(/hunter/);
    expect(shownOf(nothing, secret('{p: hunter2}'))).not.toMatch(/hunter/);
  });

  it('is hidden as a key or as a name', () => {
    const computed = (value: string) =>
      packageOf({
        kept: `{apiVersion: v1, kind: Secret, metadata: {name: kept}, stringData: {p: ${value}}}`,
        made: '{apiVersion: v1, kind: Secret, metadata: {name: made}, stringData: "${{kept.stringData.p: \'x\'}}"}',
        named: '{apiVersion: v1, kind: ConfigMap, metadata: {name: "${kept.stringData.p}"}}',
      });
    const shown = shownOf(computed('hunter2'), computed('hunter3'));
    expect(shown).not.toMatch(/hunter/);
    expect(shown).toContain('replaced ConfigMap (hidden) by ConfigMap (hidden)');
  });

  it('is hidden in a Secret that is not rendered', () => {
    const plain = (value: string) => `{apiVersion: v1, kind: Secret, metadata: {name: s}, stringData: {p: ${value}}}\n`;
    expect(shownOf(plain('hunter2'), plain('hunter3'))).not.toMatch(/hunter/);
  });
  it('counts as unchanged beside an inserted item', () => {
    const pod = (env: string) =>
      packageOf({
        kept: '{apiVersion: v1, kind: Secret, metadata: {name: kept}, stringData: {p: hunter2}}',
        pod: `{apiVersion: v1, kind: Pod, metadata: {name: pod}, spec: {containers: [{name: app, image: a, env: [${env}]}]}}`,
      });
    const own = '{name: P, value: "${kept.stringData.p}"}';
    const shown = shownOf(pod(own), pod(`{name: A, value: x}, ${own}`));
    expect(shown).not.toMatch(/hunter/);
    expect(shown).toContain('  @@ spec.containers[app].env[A] @@\n  +name: A\n');
    expect(shown).not.toContain('env[P]');
  });

  it('is hidden in the place of a key', () => {
    const plain = (more: string) => `{apiVersion: v1, kind: Secret, metadata: {name: s}, ${more}}\n`;
    const misplaced = [
      'stringData: {hunter2: }',
      'hunter2: a, hunter3: b',
      'stringData: {a: b}, data: {hunter2: null, c: ZA==}',
      'stringData: {a: {hunter2: b}}',
    ];
    for (const more of misplaced) {
      expect(shownOf(plain(more), plain('type: Opaque'))).not.toMatch(/hunter/);
      expect(shownOf(plain(more.replaceAll('hunter', 'hunted')), plain(more))).not.toMatch(/hunter/);
    }
    expect(shownOf(plain('stringData: {user: a}'), plain('stringData: {user: b}'))).toContain('+user: (hidden, after)');
    expect(shownOf(plain('x: a, y: c'), plain('x: b, y: c'))).toMatch(
      /@@ \["\(hidden\)"\] @@\n {2}-\(hidden\): \(hidden, before\)\n {2}\+\(hidden\): \(hidden, after\)/,
    );
  });

  it('is hidden in the annotation that kubectl apply writes', () => {
    const plain = (value: string) =>
      `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c\n  annotations:\n    kubectl.kubernetes.io/last-applied-configuration: '{"kind":"Secret","data":{"p":"${value}"}}'\n`;
    expect(shownOf(plain('hunter2'), plain('hunter3'))).not.toMatch(/hunter/);
  });
});
