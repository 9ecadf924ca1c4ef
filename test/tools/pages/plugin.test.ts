import { describe, expect, it } from 'vitest';
import { getAt, isMap, type Path, type Value } from '../../../src/core/model/value.ts';
import { readStream } from '../../../src/yaml/parse/yaml.ts';
import {
  pluginConfigMap,
  pluginDiscoveryConfigMap,
  pluginDiscoveryYaml,
  pluginYaml,
} from '../../../tools/pages/plugin.ts';

const parsed = (text: string): Value => readStream(text).documents[0]?.value ?? null;
const plugin = parsed(pluginYaml());
const keysAt = (...path: Path): string[] => {
  const value = getAt(plugin, path);
  return isMap(value) ? Object.keys(value) : [];
};

describe('plugin.yaml', () => {
  // Argo CD ignores every unknown key.
  it('has known keys only', () => {
    expect(keysAt()).toEqual(['apiVersion', 'kind', 'metadata', 'spec']);
    const known = ['init', 'generate', 'discover', 'parameters', 'preserveFileMode', 'provideGitCreds'];
    expect(known).toEqual(expect.arrayContaining(keysAt('spec')));
    expect(keysAt('spec', 'generate')).toEqual(['command']);
    expect(keysAt('spec', 'parameters')).toEqual(['static', 'dynamic']);
    expect(keysAt('spec', 'parameters', 'dynamic')).toEqual(['command']);
  });

  it('is accepted by Argo CD', () => {
    expect(plugin).toMatchObject({ kind: 'ConfigManagementPlugin', metadata: { name: 'render-rgd' } });
    // Argo CD 4.0 rejects a version, and earlier releases make it a part of the name.
    expect(keysAt('spec')).not.toContain('version');
    expect(getAt(plugin, ['spec', 'preserveFileMode'])).toBe(false);
    expect(getAt(plugin, ['spec', 'provideGitCreds'])).toBe(false);
  });

  it('has a discovery only in plugin-discovery.yaml, and is otherwise the same', () => {
    expect(keysAt('spec')).not.toContain('discover');
    const other = parsed(pluginDiscoveryYaml());
    expect(getAt(other, ['spec', 'discover'])).toEqual({ find: { command: ['render-rgd', 'plugin', 'discover'] } });
    const { discover, ...spec } = getAt(other, ['spec']) as Record<string, Value>;
    expect({ ...(other as object), spec }).toEqual(plugin);
    expect(getAt(parsed(pluginDiscoveryConfigMap()), ['data', 'plugin.yaml'])).toBe(pluginDiscoveryYaml());
  });

  it('is in the ConfigMap unchanged', () => {
    expect(getAt(parsed(pluginConfigMap()), ['data', 'plugin.yaml'])).toBe(pluginYaml());
  });
});
