import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { invoke } from './invoke.ts';

/** Control characters, and characters that change the order of text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must be found
const STEERS = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u2028-\u202E\u2066-\u2069]/;

const hostile = String.raw`apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: hostile}
spec:
  schema: {apiVersion: v1alpha1, kind: Hostile, spec: {text: string}}
  resources:
    - id: service
      template:
        apiVersion: v1
        kind: Service
        metadata: {name: "${'${schema.metadata.name}'}"}
        spec: {ports: [{port: 80}]}
    - id: waits
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: waits}
        data:
          text: "\e[31m\x9b31m\u202e"
          waits: "${"${service.spec.clusterIP + '\\e[31m\\x9b31m\\u202e'}"}"
---
apiVersion: kro.run/v1alpha1
kind: Hostile
metadata: {name: good}
`;
const wrong = String.raw`apiVersion: kro.run/v1alpha1
kind: Hostile
metadata: {name: "bad\e[31m\x9b\u202e\u2028\nfake.yaml:1:1: error[fake] none", labels: {"a\e": b}}
spec: {"text\e[31m\n": "x\e"}
`;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'render-rgd-terminal-'));
  writeFileSync(join(folder, 'hostile.yaml'), hostile);
  writeFileSync(join(folder, 'wrong\u001b[31m\n.yaml'), wrong);
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('control characters of the input are escaped on the terminal', () => {
  it.each([
    ['pending'],
    ['render'],
    ['render', '--diagnostics', 'json'],
    ['render', '--on-pending', 'placeholder'],
    ['render', '--on-pending', 'placeholder', '-o', 'json'],
    ['crd', '-o', 'json'],
    ['doctor'],
  ])('%s %s %s %s %s', async (command, ...options) => {
    for (const path of [join(folder, 'hostile.yaml'), folder]) {
      const { stdout, stderr } = await invoke([command, path, ...options]);
      expect(stdout + stderr).not.toBe('');
      expect(stdout).not.toMatch(STEERS);
      expect(stderr).not.toMatch(STEERS);
      expect(stderr).not.toMatch(/^fake\.yaml/m);
    }
  });

  it('in arguments', async () => {
    for (const args of [['render', '--\u001b[31m'], ['\u001b[31m'], ['render', '/no/\u001b[31m']]) {
      const { code, stderr } = await invoke(args);
      expect(code).not.toBe(0);
      expect(stderr).not.toMatch(STEERS);
    }
  });

  it('in the results of the KRM function', async () => {
    const item = { apiVersion: 'kro.run/v1alpha1', kind: 'Nobody', metadata: { name: 'a\u001b[31m\u009b' } };
    const list = { apiVersion: 'config.kubernetes.io/v1', kind: 'ResourceList', items: [item] };
    const { stdout, stderr } = await invoke([], JSON.stringify(list));
    expect(stderr).not.toMatch(STEERS);
    // The function does not own the item, so its text is unchanged.
    expect(stdout).toContain(JSON.stringify(item));
    const added = stdout.replace(JSON.stringify(item), '');
    expect(added).not.toMatch(STEERS);
    expect(added).toContain('"message": ');
  });
});
