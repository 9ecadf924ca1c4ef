import { describe, expect, it } from 'vitest';
import { inFileOrder, lookedAt, validatePackage } from '../../../src/check/validate/index.ts';
import { Collector } from '../../../src/core/diagnostics/index.ts';
import { defaultRenderOptions } from '../../../src/render/options/index.ts';
import { toDiagnostics } from '../../../src/yaml/locate/index.ts';
import { readStreams } from '../../../src/yaml/parse/index.ts';

const rgd = (kind: string, spec: string, template: string): string => `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: { name: ${kind.toLowerCase()} }
spec:
  schema: { apiVersion: v1, kind: ${kind}, spec: { ${spec} } }
  resources:
    - id: settings
      template: { apiVersion: v1, kind: ConfigMap, metadata: { name: "\${schema.metadata.name}" }, data: { ${template} } }
`;
const instance = (kind: string, spec: string, name = 'one'): string =>
  `apiVersion: kro.run/v1\nkind: ${kind}\nmetadata: { name: ${name} }\nspec: { ${spec} }\n`;

function found(files: Record<string, string>): string[] {
  const reports = new Collector();
  const objects = readStreams(
    Object.entries(files).map(([file, text]) => ({ file, text })),
    reports,
  );
  const all = [...reports, ...validatePackage({ objects }, defaultRenderOptions).reports];
  return inFileOrder(toDiagnostics(all), Object.keys(files)).map(
    ({ file, line, severity, code }) => `${file}:${line} ${severity} ${code}`,
  );
}

describe('validatePackage', () => {
  it('accepts a valid package', () => {
    const text = `${rgd('Site', 'a: string', 'a: "${schema.spec.a}"')}---\n${instance('Site', 'a: x')}`;
    expect(found({ 'a.yaml': text })).toEqual([]);
  });

  it('reports further errors after every kind of first error', () => {
    expect(
      found({
        'syntax.yaml': 'a: [\n---\nkind: [\n',
        'shape.yaml':
          'apiVersion: kro.run/v1alpha1\nkind: ResourceGraphDefinition\nmetadata: { name: x }\nspec: { x: 1 }\n',
        'compile.yaml': rgd('Site', 'a: strin', 'a: "${schema.spec.b}", b: "${nothing}"'),
        'other.yaml': rgd('Shop', 'a: integer', 'a: "${string(1 / schema.spec.a)}"'),
        'instances.yaml': `${instance('Shop', 'a: x')}---\n${instance('Shop', 'a: 0', 'two')}`,
      }),
    ).toEqual([
      'syntax.yaml:1 error yaml-syntax',
      'syntax.yaml:3 error yaml-syntax',
      'shape.yaml:4 error rgd-shape',
      'shape.yaml:4 error rgd-unknown-field',
      'compile.yaml:5 error unknown-type',
      'compile.yaml:8 error unknown-name',
      'other.yaml:8 error evaluation',
      'instances.yaml:4 error instance-type',
    ]);
  });

  it('checks instances against the schema of an RGD that does not compile', () => {
    const broken = rgd('Site', 'a: integer', 'a: "${nothing}"');
    expect(
      found({ 'a.yaml': `${broken}---\n${instance('Site', 'a: x')}---\n${instance('Site', 'a: 1', 'two')}` }),
    ).toEqual(['a.yaml:8 error unknown-name', 'a.yaml:13 error instance-type']);
  });

  it('skips instances whose RGD has a broken schema', () => {
    const broken = rgd('Site', 'a: strin', 'a: b');
    expect(found({ 'a.yaml': `${broken}---\n${instance('Site', 'a: x')}` })).toEqual(['a.yaml:5 error unknown-type']);
  });

  it('reports a reference to nothing and a pending value as warnings', () => {
    const text = `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: { name: site }
spec:
  schema: { apiVersion: v1, kind: Site }
  resources:
    - id: shared
      externalRef: { apiVersion: v1, kind: ConfigMap, metadata: { name: shared } }
    - id: service
      template: { apiVersion: v1, kind: Service, metadata: { name: s }, spec: { ports: [{ port: 80 }] } }
    - id: settings
      template: { apiVersion: v1, kind: ConfigMap, metadata: { name: c }, data: { a: "\${service.spec.clusterIP}" } }
---
${instance('Site', '')}`;
    expect(found({ 'a.yaml': text })).toEqual([
      'a.yaml:8 warning pending-reference',
      'a.yaml:12 warning pending-value',
    ]);
  });
});

describe('the validation of a ResourceSet', () => {
  const set = (name: string): string => `apiVersion: fluxcd.controlplane.io/v1
kind: ResourceSet
metadata: { name: apps, namespace: flux }
spec:
  inputs: [{ tenant: a }]
  resources:
    - { apiVersion: v1, kind: ConfigMap, metadata: { name: "${name}", namespace: flux } }
`;

  it('checks its objects', () => {
    expect(found({ 'a.yaml': set('<< inputs.tenants >>') })).toEqual(['a.yaml:7 error template-key']);
    expect(found({ 'a.yaml': set('<< inputs.tenant >>') })).toEqual([]);
  });

  it('reports each error once', () => {
    const broken = `${rgd('Site', 'a: string', 'a: "${schema.spec.b}"')}---\n${set('x')}`;
    expect(found({ 'a.yaml': broken })).toEqual(['a.yaml:8 error expression-type']);
  });
});

describe('lookedAt', () => {
  it('lists every object of every file, and files without objects', () => {
    const reports = new Collector();
    const objects = readStreams(
      [
        { file: 'a.yaml', text: `${instance('Site', '')}---\n${instance('Site', '', 'two')}` },
        { file: 'b.yaml', text: 'a: [' },
      ],
      reports,
    );
    expect(lookedAt({ objects }, reports.all)).toEqual([
      { file: 'a.yaml', objects: ['Site/one', 'Site/two'] },
      { file: 'b.yaml', objects: [] },
    ]);
  });
});
