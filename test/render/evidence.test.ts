import { expect, it } from 'vitest';
import { Collector } from '../../src/core/diagnostics/index.ts';
import { keptReports, renderingEvidence } from '../../src/render/evidence/index.ts';
import { defaultRenderOptions } from '../../src/render/options/index.ts';
import { renderPackage } from '../../src/render/pipeline.ts';
import { objectsIn, readStreams } from '../../src/yaml/parse/index.ts';
import { note, noteRgd } from '../cli/resourcelist/packages.ts';

const PLAIN = `
apiVersion: v1
kind: ConfigMap
metadata: {name: plain}
---
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: app}
spec: {}
---
apiVersion: example.org/v1
kind: Widget
metadata: {name: first}
---
apiVersion: v1
kind: List
items:
- apiVersion: example.org/v2
  kind: Widget
  metadata: {name: second}
- apiVersion: example.net/v1
  kind: Gadget
  metadata: {name: third}
---
apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources: [a.yaml]
---
apiVersion: kro.run/v1alpha1
kind: Note
metadata: {name: left, annotations: {render-rgd.dev/mode: passthrough}}
`;

function evidenceOf(text: string) {
  const objects = objectsIn(readStreams([{ file: 'a.yaml', text }], new Collector()));
  const output = renderPackage({ objects }, defaultRenderOptions);
  return renderingEvidence(objects, output);
}

const outcomes = (text: string): string[] =>
  evidenceOf(text).given.map(({ title, outcome }) => {
    const why = 'why' in outcome ? ` (${outcome.why})` : '';
    return `${title}: ${outcome.is}${why}`;
  });

it('has one outcome for each object', () => {
  expect(outcomes(`${noteRgd}---${note('a')}---${PLAIN}`)).toEqual([
    'ResourceGraphDefinition/note: irrelevant (passed-through)',
    'Note/a: rendered',
    'ConfigMap/plain: unaffected',
    'Application/app: unaffected',
    'Widget/first: unseen (no-schema)',
    'Widget/second: unseen (no-schema)',
    'Gadget/third: unseen (no-schema)',
    'Kustomization/: irrelevant (runner-file)',
    'Note/left: irrelevant (passed-through)',
  ]);
});

it('says after an error that the other objects are not reached', () => {
  const text = `${noteRgd}---${note('a', '{text: 1}')}---\n{apiVersion: v1, kind: ConfigMap, metadata: {name: plain}}\n`;
  expect(outcomes(text)).toEqual([
    'ResourceGraphDefinition/note: unseen (not-reached)',
    'Note/a: failed',
    'ConfigMap/plain: unseen (not-reached)',
  ]);
});

it('names the objects whose kind nothing describes in one info', () => {
  const [report, second] = keptReports(evidenceOf(PLAIN));
  expect(second).toBeUndefined();
  expect(report).toMatchObject({
    code: 'unknown-kind',
    severity: 'info',
    message:
      '3 objects are kept and not checked, because nothing in the input describes the kind: Widget.example.org (Widget/first, Widget/second), Gadget.example.net (Gadget/third)',
  });
});

it('reports nothing if everything is known', () => {
  expect(keptReports(evidenceOf(`${noteRgd}---${note('a')}`))).toEqual([]);
});
