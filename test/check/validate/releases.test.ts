import { describe, expect, it } from 'vitest';
import { type RenderOptions, render, validate } from '../../../src/api/index.ts';
import type { Diagnostic } from '../../../src/core/diagnostics/index.ts';

// The releases are those of the deprecation guide of Kubernetes, of its change logs and of its types.

type Release = NonNullable<RenderOptions['kubernetes']>;

const told = ({ severity, code, object = '', field = '' }: Diagnostic): string =>
  `${severity} ${code} ${object} ${field}`.trim();

const given = (text: string): { objects: { file: string; text: string }[] } => ({
  objects: [{ file: 'a.yaml', text }],
});

const validated = (text: string, kubernetes?: Release, disable: string[] = []): string[] =>
  validate(given(text), {
    kubernetes,
    disable: ['lint-unread-field', 'lint-unread-input', ...disable],
  }).diagnostics.map(told);

const rendered = (text: string, kubernetes?: Release): string[] =>
  render(given(text), { kubernetes, onPending: 'skip' }).diagnostics.map(told);

const crd = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: cronjobs.batch, annotations: {api-approved.kubernetes.io: unapproved}}
spec:
  group: batch
  scope: Namespaced
  names: {kind: CronJob, plural: cronjobs}
  versions:
    - {name: v1beta1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
`;

const written = (apiVersion: string, kind: string, rest = ''): string =>
  `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {name: a}\n${rest}`;

/** An RGD whose node `a` is an object, and an instance of it. */
const ofRgd = (object: string): string => `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: x}
spec:
  schema: {apiVersion: v1alpha1, kind: X, spec: {}}
  resources:
    - id: a
      template:
${object.replace(/^/gm, '        ').trimEnd()}
---
apiVersion: kro.run/v1alpha1
kind: X
metadata: {name: x, namespace: x}
spec: {}
`;

/** A ResourceSet that renders an object for each of two inputs. */
const ofSet = (object: string): string => `apiVersion: fluxcd.controlplane.io/v1
kind: ResourceSet
metadata: {name: s, namespace: s}
spec:
  inputs: [{key: a}, {key: b}]
  resources:
    - ${object.replace('name: a', 'name: "<< inputs.key >>"').trimEnd().replaceAll('\n', '\n      ')}
`;

const BUDGET = written('policy/v1beta1', 'PodDisruptionBudget');
const SERVICE = written('v1', 'Service', 'spec: {trafficDistribution: PreferClose, ports: [{port: 80}]}\n');
const SCHEMA = written(
  'flowcontrol.apiserver.k8s.io/v1beta3',
  'FlowSchema',
  'spec: {priorityLevelConfiguration: {name: exempt}}\n',
);

describe('a kind that Kubernetes has removed', () => {
  it('is an error of render and validate where an RGD renders it', () => {
    const line = 'error api-removed ResourceGraphDefinition/x spec.resources[0].template.apiVersion';
    expect(rendered(ofRgd(BUDGET))).toEqual([line]);
    expect(validated(ofRgd(BUDGET))).toContain(line);
  });

  it('is one error of render and validate where a ResourceSet renders it', () => {
    const line = 'error api-removed ResourceSet/s spec.resources[0]';
    expect(rendered(ofSet(BUDGET))).toEqual([line]);
    expect(validated(ofSet(BUDGET))).toEqual([line]);
  });

  it('is an error of validate where it is written as it is applied', () =>
    expect(validated(BUDGET)).toEqual(['error api-removed PodDisruptionBudget/a apiVersion']));

  it('is not reported if a CRD of the package defines it', () => {
    const job = written('batch/v1beta1', 'CronJob');
    for (const text of [job, ofRgd(job), ofSet(job)]) {
      expect(validated(text).join()).toContain('api-removed');
      expect(validated(`${crd}---\n${text}`).join()).not.toContain('api-removed');
    }
  });

  it('is an error from the release that removes it, and a lint before', () => {
    const pattern = /^(?:error|warning) (api-removed|lint-deprecated-api) /;
    const codesIn = (text: string, release: Release): string[] =>
      validated(text, release).flatMap((line) => pattern.exec(line)?.[1] ?? []);
    for (const text of [SCHEMA, ofRgd(SCHEMA)]) {
      expect(codesIn(text, '1.31')).toEqual(['lint-deprecated-api']);
      expect(codesIn(text, '1.32')).toEqual(['api-removed']);
      expect(codesIn(text, '1.37')).toEqual(['api-removed']);
    }
    expect(rendered(ofSet(SCHEMA), '1.31')).toEqual([]);
    expect(rendered(ofSet(SCHEMA), '1.32')).toEqual(['error api-removed ResourceSet/s spec.resources[0]']);
  });

  it('renders nothing in part', () => {
    const result = render(given(`${ofSet(BUDGET)}---\n${ofRgd(SERVICE)}`));
    expect(result.diagnostics.map(({ code }) => code)).toEqual(['api-removed']);
    expect(result.objects).toEqual([]);
  });
});

describe('a kind that a release does not serve yet', () => {
  it('is an error for it', () => {
    const claim = written('resource.k8s.io/v1', 'ResourceClaim', 'spec: {}\n');
    const code = 'error api-not-yet-served';
    expect(validated(claim, '1.33')).toEqual([`${code} ResourceClaim/a apiVersion`]);
    expect(rendered(ofRgd(claim), '1.33')).toEqual([
      `${code} ResourceGraphDefinition/x spec.resources[0].template.apiVersion`,
    ]);
    expect(rendered(ofSet(claim), '1.33')).toEqual([`${code} ResourceSet/s spec.resources[0]`]);
    for (const text of [claim, ofRgd(claim), ofSet(claim)]) expect(validated(text, '1.34')).toEqual([]);
  });
});

describe('a deprecated kind', () => {
  const endpoints = written('v1', 'Endpoints', 'subsets: []\n');

  it('is a lint of validate where an RGD or a file has it, which can be disabled', () => {
    expect(validated(endpoints)).toEqual(['warning lint-deprecated-api Endpoints/a apiVersion']);
    expect(validated(ofRgd(endpoints))).toEqual([
      'warning lint-deprecated-api ResourceGraphDefinition/x spec.resources[0].template.apiVersion',
    ]);
    for (const text of [endpoints, ofRgd(endpoints)]) {
      expect(validated(text, '1.32')).toEqual([]);
      expect(validated(text, undefined, ['lint-deprecated-api'])).toEqual([]);
      expect(rendered(text)).toEqual([]);
    }
    const annotated = endpoints.replace(
      '{name: a}',
      '{name: a, annotations: {render-rgd.dev/disable-lints: lint-deprecated-api}}',
    );
    expect(validated(annotated)).toEqual([]);
  });
});

describe('a field that a release does not serve', () => {
  it('is an error in a template and in a file', () => {
    expect(rendered(ofRgd(SERVICE), '1.29')).toEqual([
      'error field-not-served ResourceGraphDefinition/x spec.resources[0].template.spec.trafficDistribution',
    ]);
    expect(validated(SERVICE, '1.29')).toEqual(['error field-not-served Service/a spec.trafficDistribution']);
    for (const text of [SERVICE, ofRgd(SERVICE), ofSet(SERVICE)]) expect(validated(text, '1.30')).toEqual([]);
  });

  it('is an error of validate in an object of a ResourceSet', () =>
    expect(validated(ofSet(SERVICE), '1.29').join('\n')).toMatch(/^error field-not-served /));

  it('is unknown if no release has it', () => {
    const misspelt = SERVICE.replace('trafficDistribution', 'trafficDistributoin');
    expect(validated(misspelt, '1.29')[0]).toContain('rendered-unknown-field');
    expect(validated(ofRgd(misspelt), '1.29')[0]).toContain('unknown-template-field');
  });
});
