import { describe, expect, it } from 'vitest';
import { reportSubstitution } from '../../../src/check/validate/index.ts';
import { Collector } from '../../../src/core/diagnostics/index.ts';
import { objectsIn, readStreams } from '../../../src/yaml/parse/index.ts';

const rgd = (annotations = '{}'): string =>
  `apiVersion: kro.run/v1alpha1\nkind: ResourceGraphDefinition\nmetadata: { name: web, annotations: ${annotations} }\nspec:\n  schema: { apiVersion: v1alpha1, kind: Web }\n  resources: [{ id: a, template: { apiVersion: v1, kind: ConfigMap, metadata: { name: "\${schema.metadata.name}" } } }]\n`;
const kustomization = (spec: string): string =>
  `apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: { name: apps, namespace: flux-system }\nspec: { interval: 1m, prune: true, sourceRef: { kind: GitRepository, name: x }, ${spec} }\n`;
const DISABLED = '{ kustomize.toolkit.fluxcd.io/substitute: disabled }';
const FILLED = 'postBuild: { substitute: { a: b } }';

const warned = (files: Readonly<Record<string, string>>): string[] => {
  const reports = new Collector();
  const streams = Object.entries(files).map(([file, text]) => ({ file, text }));
  reportSubstitution(objectsIn(readStreams(streams, reports)), reports);
  return reports.all.map(({ code, source }) => `${code} ${source?.file}`);
};

describe('an RGD below a Kustomization of Flux that replaces variables', () => {
  it.each([
    ['in its folder', `path: ./apps, ${FILLED}`, 'apps/web.yaml'],
    ['in a folder below it', `path: apps, ${FILLED}`, 'apps/more/web.yaml'],
    ['in a clone that is in another folder', `path: ./apps/, ${FILLED}`, 'repo/apps/web.yaml'],
    ['in the root', `path: ./, ${FILLED}`, 'web.yaml'],
    [
      'with variables of a ConfigMap',
      'path: apps, postBuild: { substituteFrom: [{ kind: ConfigMap, name: c }] }',
      'apps/web.yaml',
    ],
  ])('is a warning %s', (_, spec, file) =>
    expect(warned({ 'f.yaml': kustomization(spec), [file]: rgd() })).toEqual([`flux-substitution ${file}`]),
  );

  it.each([
    ['without variables', 'path: apps, postBuild: { substitute: {} }', 'apps/web.yaml', rgd()],
    ['in another folder', `path: apps, ${FILLED}`, 'app/web.yaml', rgd()],
    ['with the annotation', `path: apps, ${FILLED}`, 'apps/web.yaml', rgd(DISABLED)],
    [
      'with the annotation by the Kustomization',
      `path: apps, ${FILLED}, commonMetadata: { annotations: ${DISABLED} }`,
      'apps/web.yaml',
      rgd(),
    ],
    ['without an expression', `path: apps, ${FILLED}`, 'apps/web.yaml', rgd().replace(/"\$\{.*?\}"/, 'a')],
  ])('is none %s', (_, spec, file, text) =>
    expect(warned({ 'f.yaml': kustomization(spec), [file]: text })).toEqual([]),
  );
});
