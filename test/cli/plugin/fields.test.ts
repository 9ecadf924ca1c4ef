import { describe, expect, it } from 'vitest';
import {
  type Fields,
  fieldsOfPlugin,
  KUSTOMIZATION,
  type Meaning,
} from '../../../src/cli/plugin/tree/kustomization.ts';
import { type KustomizeFields, recorded } from './kustomize-fields.ts';

/** Returns each field of kustomize's own types with its classification. */
function meanings(fields: KustomizeFields, table: Fields): Record<string, Meaning | 'unknown'> {
  const entries = Object.keys(fields).map((path) => {
    const names = path.replaceAll('[]', '').split('.');
    let at: Meaning | Fields | undefined = table;
    for (const name of names) if (typeof at === 'object') at = at[name];
    return [path, typeof at === 'string' ? at : 'unknown'] as const;
  });
  return Object.fromEntries(entries);
}

/** Returns classified fields that kustomize's types do not have. */
function unused(fields: KustomizeFields, table: Fields, path = ''): string[] {
  const known = Object.keys(fields).map((one) => one.replaceAll('[]', ''));
  return Object.entries(table).flatMap(([name, meaning]) => {
    const at = `${path}${name}`;
    if (known.includes(at)) return [];
    if (typeof meaning === 'object') return unused(fields, meaning, `${at}.`);
    return known.some((one) => one.startsWith(`${at}.`)) ? [] : [at];
  });
}

const REFUSED = ['HelmChartInflationGenerator'];
const plugins = Object.keys(recorded.plugins).filter((kind) => !REFUSED.includes(kind));

describe("the table of fields of kustomize's own types", () => {
  it('has all fields, and marks those that contain paths', () => {
    const found = meanings(recorded.kustomization, { ...KUSTOMIZATION, openapi: 'file' });
    expect(Object.entries(found).filter(([, meaning]) => meaning === 'unknown')).toEqual([]);
    const naming = Object.entries(found).filter(([path, meaning]) => meaning !== 'data' && !path.startsWith('helm'));
    expect(Object.fromEntries(naming)).toEqual({
      'bases[]': 'folder',
      'components[]': 'folder',
      'configMapGenerator[].env': 'file',
      'configMapGenerator[].envs[]': 'file',
      'configMapGenerator[].files[]': 'keyed',
      'configurations[]': 'file',
      'crds[]': 'file',
      'generators[]': 'configuration',
      openapi: 'file',
      'patchesJson6902[].path': 'file',
      'patchesStrategicMerge[]': 'patch',
      'patches[].path': 'file',
      'replacements[].path': 'file',
      'resources[]': 'folder',
      'secretGenerator[].env': 'file',
      'secretGenerator[].envs[]': 'file',
      'secretGenerator[].files[]': 'keyed',
      'transformers[]': 'configuration',
      'validators[]': 'configuration',
    });
    expect(unused(recorded.kustomization, KUSTOMIZATION)).toEqual([]);
  });

  it.each(plugins)('has the fields of the configuration of %s', (kind) => {
    const table = fieldsOfPlugin({ apiVersion: 'builtin', kind }) as Fields;
    const fields = recorded.plugins[kind] as KustomizeFields;
    const unknown = Object.entries(meanings(fields, table)).filter(([, meaning]) => meaning === 'unknown');
    expect(unknown).toEqual([]);
    const { apiVersion: _, kind: __, metadata: ___, ...own } = table;
    expect(unused(fields, own)).toEqual([]);
  });

  it('rejects fields that run a program', () => {
    for (const kind of REFUSED) expect(fieldsOfPlugin({ apiVersion: 'builtin', kind })).toBeUndefined();
    for (const apiVersion of ['v1', 'builtin/v1', 'someteam.example.com/v1', 1n, null]) {
      expect(fieldsOfPlugin({ apiVersion, kind: 'ConfigMapGenerator' })).toBeUndefined();
    }
    for (const kind of ['Other', 'toString', 'configmapgenerator', 'ConfigMapGeneratorList', ['ConfigMapGenerator']]) {
      expect(fieldsOfPlugin({ apiVersion: 'builtin', kind })).toBeUndefined();
    }
  });
});
