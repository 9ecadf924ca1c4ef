import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bundle, command } from './sandbox.ts';

const root = join(bundle, '../..');
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'render-rgd-write-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const bash = (command: string) => spawnSync('bash', ['-c', command], { encoding: 'utf8', cwd: root });

describe.skipIf(!existsSync('/dev/full'))('standard output on a full disk', () => {
  it.each([
    ['the command', 'render examples/collections/input'],
    ['help', '--help'],
    ['the function', '< test/function/plain/input.yaml'],
  ])('%s reports the error and fails', (_, args) => {
    const { status, stderr } = bash(`"${command}" ${args} > /dev/full`);
    expect(status).toBe(1);
    expect(stderr).toMatch(/^render-rgd: cannot write the output: .*no space left/m);
  });
});

describe('a file that cannot be written', () => {
  /** More than the one block that the shell allows. */
  const live = `apiVersion: v1
kind: Service
metadata: {name: a, namespace: d}
spec: {externalName: ${'y'.repeat(20_000)}}
`;
  const rgd = `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: a}
spec:
  schema: {apiVersion: v1alpha1, kind: App, spec: {}}
  resources:
  - {id: service, externalRef: {apiVersion: v1, kind: Service, metadata: {name: a}}}
  - id: copy
    template: {apiVersion: v1, kind: ConfigMap, metadata: {name: b}, data: {x: "\${service.spec.externalName}"}}
---
apiVersion: kro.run/v1alpha1
kind: App
metadata: {name: a, namespace: d}
`;
  const observe = (limit: string) => {
    writeFileSync(join(folder, 'live.yaml'), live);
    writeFileSync(join(folder, 'app.yaml'), rgd);
    return bash(
      `${limit} "${command}" observe "${folder}/app.yaml" --from "${folder}/live.yaml" --write "${folder}/out.yaml"`,
    );
  };

  it('is written completely after space is freed', () => {
    expect(observe('').status).toBe(0);
    expect(readFileSync(join(folder, 'out.yaml'), 'utf8')).toContain('y'.repeat(20_000));
  });

  it.each([['# the old one\n'], [undefined]])('does not change, and no temporary file is left: %j', (old) => {
    if (old !== undefined) writeFileSync(join(folder, 'out.yaml'), old);
    const { status, stderr } = observe('ulimit -f 1;');
    expect(status).toBe(1);
    expect(stderr).toMatch(/^error\[unwritable-file\]: cannot write .*out\.yaml: /m);
    expect(readdirSync(folder).sort()).toEqual(['app.yaml', 'live.yaml', ...(old === undefined ? [] : ['out.yaml'])]);
    if (old !== undefined) expect(readFileSync(join(folder, 'out.yaml'), 'utf8')).toBe(old);
  });
});
