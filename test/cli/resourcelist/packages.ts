import type { KubeObject } from '../../../src/core/model/object.ts';
import { get, isMap, type Value, type ValueMap } from '../../../src/core/model/value.ts';
import { toYaml } from '../../../src/yaml/emit/yaml.ts';
import { readStream } from '../../../src/yaml/parse/yaml.ts';
import { invoke } from '../invoke.ts';

/** An RGD of kind Note: a ConfigMap, and a second one when `copy` is set. */
export const noteRgd = `
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: note}
spec:
  schema:
    apiVersion: v1alpha1
    kind: Note
    spec: {text: string | default="", copy: boolean | default=false}
  resources:
    - id: text
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: "\${schema.metadata.name}"}
        data: {text: "\${schema.spec.text}"}
    - id: copy
      includeWhen: ["\${schema.spec.copy}"]
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: "\${schema.metadata.name}-copy"}
        data: {text: "\${schema.spec.text}"}
`;

export const note = (name: string, spec = '{}'): string => `
apiVersion: kro.run/v1alpha1
kind: Note
metadata: {name: ${name}, namespace: desk}
spec: ${spec}
`;

/** A ResourceList of YAML documents. */
export function listOf(items: readonly string[], functionConfig?: string): string {
  const value: ValueMap = {
    apiVersion: 'config.kubernetes.io/v1',
    kind: 'ResourceList',
    items: items.flatMap((text) => readStream(text).documents.map((document) => document.value)),
  };
  if (functionConfig !== undefined) value.functionConfig = readStream(functionConfig).documents[0]?.value ?? null;
  return toYaml([value as KubeObject]);
}

export const config = (spec: string, name = 'render'): string =>
  `{apiVersion: fn.kpt.dev/v1alpha1, kind: RenderRGD, metadata: {name: ${name}}, spec: ${spec}}`;

export interface Answer {
  code: number;
  stderr: string;
  stdout: string;
  items: KubeObject[];
  results: ValueMap[];
}

/** Runs the KRM function. */
export async function runFunction(list: string): Promise<Answer> {
  const { code, stdout, stderr } = await invoke([], list);
  const value = readStream(stdout).documents[0]?.value;
  const maps = (key: string): Value[] => {
    const found = get(value, key);
    return Array.isArray(found) ? found.filter(isMap) : [];
  };
  return { code, stdout, stderr, items: maps('items') as KubeObject[], results: maps('results') as ValueMap[] };
}

/** The same ResourceList with other items. */
export const withItems = (list: string, change: (items: KubeObject[]) => KubeObject[]): string => {
  const value = readStream(list).documents[0]?.value as KubeObject;
  return toYaml([{ ...value, items: change(value.items as KubeObject[]) }]);
};

export const titles = (items: readonly KubeObject[]): string[] =>
  items.map((item) => `${item.kind}/${String(get(get(item, 'metadata'), 'name'))}`);
