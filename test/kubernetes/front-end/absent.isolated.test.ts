import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { EACH, type Step } from '../../../src/core/model/read.ts';
import { isMap } from '../../../src/core/model/value.ts';
import { absentIn, isAbsent } from '../../../src/kubernetes/front-end/absent.ts';
import { invoke } from '../../cli/invoke.ts';

/** Another rule: a ConfigMap without data is unknown too. */
const rule = vi.hoisted(() => ({ isChanged: false }));
vi.mock('../../../src/kubernetes/front-end/absent.ts', async (load) => {
  const actual = await load<typeof import('../../../src/kubernetes/front-end/absent.ts')>();
  const changed: typeof absentIn = (value, path, before) => {
    const isEmpty = rule.isChanged && isMap(value) && value.kind === 'ConfigMap' && value.data === undefined;
    return isEmpty ? [{ path, there: -1 }] : actual.absentIn(value, path, before);
  };
  const isAbsent: typeof actual.isAbsent = (object, path = []) => changed(object, path).length > 0;
  return { absentIn: changed, isAbsent };
});

describe('the unknown parts of a value', () => {
  const value = { status: { ip: 'x', empty: null, list: [{ id: 'a' }, {}] } };
  const cases: [string, readonly Step[], ReturnType<typeof absentIn>][] = [
    ['a value', ['status', 'ip'], []],
    ['a field', ['status', 'host'], [{ path: ['status', 'host'], there: 1 }]],
    ['a field of a missing field', ['spec', 'a', 'b'], [{ path: ['spec', 'a', 'b'], there: 0 }]],
    ['null', ['status', 'empty'], [{ path: ['status', 'empty'], there: 1 }]],
    ['a field of every element', ['status', 'list', EACH, 'id'], [{ path: ['status', 'list', 1, 'id'], there: 3 }]],
    ['an index', ['status', 'list', 2], [{ path: ['status', 'list', 2], there: 2 }]],
    ['a field of a text', ['status', 'ip', 'inside'], []],
  ];
  it.each(cases)('are found for %s', (_, path, expected) => {
    expect(absentIn(value, path)).toEqual(expected);
    expect(isAbsent(value, path)).toBe(expected.length > 0);
  });
});

describe('the rule of what is pending', () => {
  let folder: string;
  let pack: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'render-rgd-unknown-'));
    pack = join(folder, 'package.yaml');
    writeFileSync(
      pack,
      `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: app}
spec:
  schema: {kind: App, apiVersion: v1alpha1}
  resources:
    - id: config
      externalRef: {apiVersion: v1, kind: ConfigMap, metadata: {name: config}}
    - id: made
      template: {apiVersion: v1, kind: Secret, metadata: {name: "\${config.metadata.name}"}}
---
{apiVersion: kro.run/v1alpha1, kind: App, metadata: {name: a, namespace: ns}}
---
{apiVersion: v1, kind: ConfigMap, metadata: {name: config, namespace: ns}}
`,
    );
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const answers = async (): Promise<Record<string, boolean>> => {
    const said = async (...args: string[]): Promise<string> => {
      const { stdout, stderr } = await invoke(args);
      return stdout + stderr;
    };
    return {
      render: (await said('render', pack)).includes('pending-reference'),
      skip: (await said('render', pack, '--on-pending', 'skip', '--all')).includes('omitted'),
      pending: (await said('pending', pack)).includes('ConfigMap ns/config'),
      validate: (await said('validate', pack)).includes('pending-reference'),
      explain: (await said('explain', 'App/a', pack)).includes('pending'),
      graph: (await said('graph', pack, '--instance', 'App/a')).includes('pending'),
    };
  };
  const all = (answer: boolean) => ({
    render: answer,
    skip: answer,
    pending: answer,
    validate: answer,
    explain: answer,
    graph: answer,
  });

  it('is the same for every command', async () => {
    expect(await answers()).toEqual(all(false));
    rule.isChanged = true;
    expect(await answers()).toEqual(all(true));
    rule.isChanged = false;
  });
});
