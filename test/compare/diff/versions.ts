import { type Comparison, compareVersions } from '../../../src/compare/diff/index.ts';
import { renderVersion, type Version } from '../../../src/compare/review/index.ts';
import { Collector, isError } from '../../../src/core/diagnostics/index.ts';
import { defaultRenderOptions } from '../../../src/render/options/index.ts';
import { readStreams } from '../../../src/yaml/parse/index.ts';

/** Renders a text of documents without errors. */
export function versionOf(text: string, all = false): Version {
  const version = renderVersion(
    { objects: readStreams([{ file: 'all.yaml', text }], new Collector()) },
    { ...defaultRenderOptions, all },
  );
  const errors = version.reports.filter(isError);
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'));
  return version;
}

export const compare = (before: string, after: string, all = false): Comparison =>
  compareVersions(versionOf(before, all).objects, versionOf(after, all).objects);

/** An RGD with one node for each template, and an instance of it. */
export function packageOf(templates: Readonly<Record<string, string>>, spec = '{size: 1}'): string {
  const nodes = Object.entries(templates).map(([id, template]) => `    - id: ${id}\n      template: ${template}\n`);
  return `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: thing}
spec:
  schema:
    apiVersion: v1alpha1
    kind: Thing
    spec: {size: "integer | default=1", name: "string | default=a", items: "[]string"}
  resources:
${nodes.join('')}---
apiVersion: kro.run/v1alpha1
kind: Thing
metadata: {name: t, namespace: ns}
spec: ${spec}
`;
}
