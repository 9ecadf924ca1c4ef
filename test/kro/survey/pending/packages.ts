import { Collector } from '../../../../src/core/diagnostics/index.ts';
import type { InputObject } from '../../../../src/core/model/object.ts';
import type { RenderOptions } from '../../../../src/core/model/render.ts';
import type { PendingValue, Surveyed } from '../../../../src/kubernetes/front-end/index.ts';
import { defaultRenderOptions } from '../../../../src/render/options/index.ts';
import { surveyPackage } from '../../../../src/render/pipeline.ts';
import { flattenObjects } from '../../../../src/yaml/parse/flatten.ts';
import { readStreams } from '../../../../src/yaml/parse/yaml.ts';

export const objectsIn = (text: string): InputObject[] =>
  flattenObjects(readStreams([{ file: 'x.yaml', text }], new Collector()), new Collector());

/** Returns the survey of a package without errors. */
export function surveyOf(text: string, observed = '', options: Partial<RenderOptions> = {}): readonly Surveyed[] {
  const input = { objects: objectsIn(text), observed: objectsIn(observed) };
  const { survey, reports } = surveyPackage(input, { ...defaultRenderOptions, namespace: 'ns', ...options });
  if (survey === undefined) throw new Error(JSON.stringify(reports.map(({ message }) => message)));
  return survey;
}

export const awaitedIn = (text: string, observed = '', options: Partial<RenderOptions> = {}): PendingValue[] =>
  surveyOf(text, observed, options).flatMap((one) => one.pending());

/** `node field <- Kind namespace/name path`, with a question mark in front if the value is optional. */
export const lineOf = ({ node, field, object, path, optional }: PendingValue): string =>
  `${optional ? '?' : ''}${node} ${field} <- ${object.kind} ${object.namespace}/${object.name ?? '?'} ${path}`.trimEnd();

/** Returns an RGD with the lower-case name of its kind, with resources as YAML lists. */
export function rgd(kind: string, resources: string, schema = '{}'): string {
  return `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: ${kind.toLowerCase()}}
spec:
  schema: {apiVersion: v1alpha1, kind: ${kind}, ${schema.slice(1)}
  resources:
${resources.replace(/^/gm, '    ')}
---
`;
}

export const instance = (kind: string, spec = '{}', name = 'i'): string =>
  `{apiVersion: kro.run/v1alpha1, kind: ${kind}, metadata: {name: ${name}, namespace: ns}, spec: ${spec}}\n---\n`;

/** A node that renders an object of an unknown kind. */
export const cloud = (id: string, kind: string, spec: string, name = id): string =>
  `- id: ${id}\n  template: {apiVersion: cloud.example/v1, kind: ${kind}, metadata: {name: "${name}"}, spec: ${spec}}\n`;
