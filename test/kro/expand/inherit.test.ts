import { describe, expect, it } from 'vitest';
import { type RenderOptions, render } from '../../../src/api/index.ts';
import { explain, formatExplanation } from '../../../src/api/tools/index.ts';

const rgd = (kind: string, template: string): string => `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: { name: ${kind.toLowerCase()} }
spec:
  schema: { apiVersion: v1alpha1, kind: ${kind}, spec: {} }
  resources:
    - id: one
      template: ${template}
`;
const instance = `apiVersion: kro.run/v1alpha1
kind: Site
metadata:
  name: blog
  namespace: web
  labels: { team: red, tier: gold, kro.run/own: x }
  annotations: { example.com/owner: ann, config.kubernetes.io/path: x }
`;
const map = (metadata: string): string => `{ apiVersion: v1, kind: ConfigMap, metadata: { name: a, ${metadata} } }`;
const text = (metadata: string): string => `${rgd('Site', map(metadata))}---\n${instance}`;
const ALL: RenderOptions = {
  propagateLabels: ['team,tier', 'kro.run/own'],
  propagateAnnotations: ['example.com/owner'],
};

function metadataOf(files: string, options: RenderOptions = ALL) {
  const { objects, diagnostics } = render({ objects: [{ file: 'a.yaml', text: files }] }, options);
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return objects[0]?.metadata as { labels: Record<string, string>; annotations?: Record<string, string> };
}

describe('labels and annotations of an instance', () => {
  it('are copied to its objects if the options name them', () => {
    const { labels, annotations } = metadataOf(text('labels: { app: a }'));
    expect(labels).toMatchObject({ app: 'a', team: 'red', tier: 'gold' });
    expect(labels).not.toHaveProperty(['kro.run/own']);
    expect(annotations).toEqual({ 'example.com/owner': 'ann' });
    const plain = metadataOf(text('labels: { app: a }'), {});
    expect(plain.labels).not.toHaveProperty('team');
    expect(plain).not.toHaveProperty('annotations');
  });

  it('are not copied if a template sets them, even to null', () => {
    const { labels } = metadataOf(text('labels: { team: blue, tier: null }'));
    expect(labels.team).toBe('blue');
    expect(labels).not.toHaveProperty('tier');
  });

  it('are copied through nested instances', () => {
    const outer = rgd('Site', '{ apiVersion: kro.run/v1alpha1, kind: Inner, metadata: { name: i } }');
    expect(metadataOf(`${outer}---\n${rgd('Inner', map(''))}---\n${instance}`).labels).toMatchObject({ team: 'red' });
  });

  it('are not copied if they come from a Secret', () => {
    const secret = '---\napiVersion: v1\nkind: Secret\nmetadata: { name: s, namespace: web }\nstringData: { t: red }\n';
    const outer = `${rgd('Site', '{ apiVersion: kro.run/v1alpha1, kind: Inner, metadata: { name: i, labels: { team: "${s.stringData.t}" } } }')}    - id: s
      externalRef: { apiVersion: v1, kind: Secret, metadata: { name: s } }
`;
    const files = `${outer}---\n${rgd('Inner', map(''))}---\n${instance.replace('team: red, ', '')}${secret}`;
    expect(metadataOf(files).labels).not.toHaveProperty('team');
  });

  it('are shown by explain', () => {
    const input = { objects: [{ file: 'a.yaml', text: text('labels: { app: a }') }] };
    const { explanation } = explain(input, { object: 'ConfigMap/web/a', field: '.metadata.labels.team' }, ALL);
    const said = formatExplanation(explanation as NonNullable<typeof explanation>);
    expect(said).toContain('inherited by');
    expect(said).toContain('a.yaml:15');
  });
});
