import { describe, expect, it } from 'vitest';
import { readStream } from '../../src/yaml/parse/yaml.ts';
import { invoke } from './invoke.ts';
import { workingCopy } from './plugin/working-copy.ts';
import { listOf, runFunction } from './resourcelist/packages.ts';

const copy = workingCopy();

const setOf = (entry: string): string => `apiVersion: fluxcd.controlplane.io/v1
kind: ResourceSet
metadata: { name: quay, namespace: harbour }
spec:
  inputs: [{ k: kelp }]
  resources:
    - ${entry}
`;
const WHOLE = '{apiVersion: v1, kind: ConfigMap, metadata: {name: "<< inputs.k >>"}}';

/** Objects that the build of the operator prints without validation: apiVersion and the name. */
const PRINTED = [
  ['no apiVersion', '{kind: ConfigMap, metadata: {name: kelp}}', 'ConfigMap/kelp without apiVersion'],
  [
    'a null apiVersion',
    '{apiVersion: null, kind: ConfigMap, metadata: {name: kelp}}',
    'ConfigMap/kelp without apiVersion',
  ],
  [
    'an empty apiVersion',
    '{apiVersion: "", kind: ConfigMap, metadata: {name: kelp}}',
    'ConfigMap/kelp without apiVersion',
  ],
  [
    'a number as apiVersion',
    '{apiVersion: 1, kind: ConfigMap, metadata: {name: kelp}}',
    'ConfigMap/kelp without apiVersion',
  ],
  ['no metadata', '{apiVersion: v1, kind: ConfigMap}', 'ConfigMap without metadata.name'],
  ['no name', '{apiVersion: v1, kind: ConfigMap, metadata: {namespace: kelp}}', 'ConfigMap without metadata.name'],
  ['neither', '{kind: ConfigMap}', 'ConfigMap without apiVersion'],
] as const;
/** Objects that the operator rejects. */
const REFUSED = [
  ['no kind', '{apiVersion: v1, metadata: {name: kelp}}', 'rendered-object'],
  ['a number as kind', '{apiVersion: v1, kind: 2, metadata: {name: kelp}}', 'rendered-object'],
  ['metadata that is no map', '{apiVersion: v1, kind: ConfigMap, metadata: 7}', 'rendered-metadata'],
  ['a number as name', '{apiVersion: v1, kind: ConfigMap, metadata: {name: 7}}', 'rendered-metadata'],
] as const;
/** Commands that accept any rendering. */
const VERBS: readonly (readonly string[])[] = [
  ['render', 'set.yaml'],
  ['render', 'set.yaml', '-o', 'json', '--all', '--crds'],
  ['render', 'set.yaml', '--order', 'argocd'],
  ['render', 'set.yaml', '--order', 'kpt'],
  ['validate', 'set.yaml'],
  ['diff', 'set.yaml', 'whole.yaml'],
  ['diff', 'whole.yaml', 'set.yaml'],
  ['graph', 'set.yaml'],
  ['pending', 'set.yaml'],
  ['doctor', 'set.yaml'],
  ['explain', 'ConfigMap/kelp', 'set.yaml'],
];

const write = (entry: string): void => {
  copy.write({ 'app/set.yaml': setOf(entry), 'app/whole.yaml': setOf(WHOLE) });
  process.chdir(`${copy.top()}/repository/app`);
};

describe.each(PRINTED)('a rendered object with %s', (_, entry, said) => {
  it('is printed, compared and drawn as it is', async () => {
    write(entry);
    for (const args of VERBS) {
      const { code, stderr } = await invoke(args);
      expect({ args, isBug: code > 1, stderr }).toEqual({
        args,
        isBug: false,
        stderr: expect.not.stringContaining('bug'),
      });
    }
    const { code, stdout } = await invoke(['render', 'set.yaml']);
    expect(code).toBe(0);
    expect(readStream(stdout).documents[0]?.value).toMatchObject({ kind: 'ConfigMap' });
  });

  it('is not an item of a ResourceList', async () => {
    const list = listOf([setOf(entry)]);
    const { code, stderr, items, results } = await runFunction(list);
    expect({ code, kinds: items.map(({ kind }) => kind) }).toEqual({ code: 1, kinds: ['ResourceSet'] });
    const at = list.split('\n').findIndex((line) => line.includes('kind: ConfigMap'));
    expect(stderr).toMatch(
      /^error\[incomplete-object\] ResourceSet\/quay: .*\n {2}--> -:\d+:\d+ spec\.resources\[0\]\n/,
    );
    expect(stderr).toContain(`${said}: an item`);
    const line = Number(/--> -:(\d+)/.exec(stderr)?.[1]);
    expect(Math.abs(line - 1 - at)).toBeLessThanOrEqual(1);
    expect(results).toMatchObject([
      {
        severity: 'error',
        resourceRef: { kind: 'ResourceSet', name: 'quay' },
        field: { path: 'spec.resources[0]' },
        tags: { code: 'incomplete-object' },
      },
    ]);
  });

  it('is not passed to Argo CD', async () => {
    copy.write({ 'app/set.yaml': setOf(entry) });
    const { code, stdout, stderr } = await copy.generate();
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/error\[incomplete-object\].*\n {2}--> .*set\.yaml:7:7/);
    expect(stderr).toContain(`${said}: Argo CD`);
  });

  it('gets no file in an output directory', async () => {
    write(entry);
    const { code, stderr } = await invoke(['render', 'set.yaml', '--output-dir', 'out']);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/error\[tree-clash\].*\n {2}--> .*set\.yaml:7:7/),
    });
    expect(stderr).toContain(said);
    expect(stderr.match(/tree-clash/g)).toHaveLength(1);
  });
});

describe.each(REFUSED)('a rendered object with %s', (_, entry, code) => {
  it('is rejected wherever it is rendered', async () => {
    write(entry);
    for (const args of [
      // Errors in the older version of a comparison are warnings.
      ...VERBS.filter(([verb]) => verb !== 'doctor' && verb !== 'diff'),
      ['diff', 'whole.yaml', 'set.yaml'],
      ['render', 'set.yaml', '--output-dir', 'out'],
    ]) {
      const found = await invoke(args);
      expect({ args, code: found.code, told: `${found.stdout}${found.stderr}`.includes(`error[${code}]`) }).toEqual({
        args,
        code: 1,
        told: true,
      });
    }
    expect((await runFunction(listOf([setOf(entry)]))).stderr).toContain(`error[${code}]`);
    expect((await copy.generate()).stderr).toContain(code);
  });
});

it('Argo CD creates an object that has generateName, and a ResourceList rejects it', async () => {
  const hook = '{apiVersion: v1, kind: Pod, metadata: {generateName: "<< inputs.k >>-"}}';
  copy.write({ 'app/set.yaml': setOf(hook) });
  expect(await copy.generate()).toMatchObject({ code: 0, stdout: expect.stringContaining('"generateName":"kelp-"') });
  expect((await runFunction(listOf([setOf(hook)]))).stderr).toContain('Pod without metadata.name');
});
