import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { invoke } from './invoke.ts';

const RGD = `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: { name: site }
spec:
  schema: { apiVersion: v1, kind: Site, spec: { size: integer } }
  resources:
    - id: settings
      template: { apiVersion: v1, kind: ConfigMap, metadata: { name: c }, data: { a: "\${string(schema.spec.size)}" } }
`;
const instance = (size: string, group = 'kro.run'): string =>
  `apiVersion: ${group}/v1\nkind: Site\nmetadata: { name: blog }\nspec: { size: ${size} }\n`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'render-rgd-validate-'));
});
afterEach(() => rmSync(folder, { recursive: true }));
const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

describe('validate', () => {
  it('reports that there are no errors, and exits with 0', async () => {
    file('a.yaml', `${RGD}---\n${instance('3')}`);
    expect(await invoke(['validate', folder])).toEqual({
      code: 0,
      stdout: '2 objects in 1 file: nothing wrong\n',
      stderr: '',
    });
  });

  it('prints errors, and exits with 1', async () => {
    const { code, stdout } = await invoke(['validate', '-'], `${RGD}---\n${instance('x')}`);
    expect(code).toBe(1);
    expect(stdout).toBe(`error[instance-type] Site/blog: spec.size in body must be of type integer: "string"
  --> -:13:15 spec.size
    spec: { size: x }
                  ^
2 objects in 1 file: 1 error
`);
  });

  it.each(['text', 'json', 'github', 'sarif', 'junit'])(
    'names the file and the namespace of each of two instances of one name: %s',
    async (format) => {
      file('a.yaml', RGD);
      for (const namespace of ['dev', 'stage', 'prod']) {
        const wrong = namespace === 'prod' ? 'size: 1' : 'colour: red';
        const metadata = `{ name: blog, namespace: ${namespace} }`;
        file(`${namespace}.yaml`, `apiVersion: kro.run/v1\nkind: Site\nmetadata: ${metadata}\nspec: { ${wrong} }\n`);
      }
      const { code, stdout, stderr } = await invoke(['validate', folder, '--report', format]);
      expect(code).toBe(1);
      const report = `${stdout}${stderr}`;
      for (const namespace of ['dev', 'stage']) {
        expect(report).toContain(`${namespace}.yaml`);
        expect(report).toMatch(new RegExp(`namespace"?:? "?${namespace}\\b|\\b${namespace}/blog\\b`));
      }
    },
  );

  it('rejects an empty input', async () => {
    const { code, stdout } = await invoke(['validate', '-'], '');
    expect(code).toBe(1);
    expect(stdout).toContain('error[nothing-to-read]: standard input is empty');
  });

  it('writes several reports at once', async () => {
    const path = file('a.yaml', instance('3', 'example.com'));
    const sarif = join(folder, 'out.sarif');
    const { stdout } = await invoke(['validate', path, '--report', `sarif=${sarif}`, '--report', `junit=${sarif}.xml`]);
    expect(stdout).toContain('1 object in 1 file: 1 warning');
    expect(JSON.parse(readFileSync(sarif, 'utf8')).runs[0].results).toHaveLength(1);
    expect(readFileSync(`${sarif}.xml`, 'utf8')).toContain('<testsuites');
    const github = await invoke(['validate', path, '--report=github', '--report', `json=${sarif}.json`]);
    expect(github.stdout).toMatch(/^::warning file=[^\n]*\n$/);
    expect(JSON.parse(readFileSync(`${sarif}.json`, 'utf8'))).toHaveLength(1);
  });

  it.each([
    [['--report', 'xml'], "--report: 'xml' is not of the form text, json, sarif, github or junit, =FILE behind it"],
    [['--report', 'json', '--report', 'sarif'], 'json and sarif would both be printed; write one of them to a file'],
    [['--on-pending', 'skip'], 'unknown option --on-pending'],
    [['--watch'], '--watch does not support standard input'],
  ])('rejects %j', async (options, fault) => {
    const { code, stdout, stderr } = await invoke(['validate', '-', ...options], RGD);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(fault);
  });

  it('reports that a report cannot be written', async () => {
    mkdirSync(join(folder, 'out'));
    const { code, stderr } = await invoke(['validate', '-', '--report', `json=${join(folder, 'out')}`], RGD);
    expect(code).toBe(1);
    expect(stderr).toContain('cannot write');
  });

  it('fails on warnings on request', async () => {
    expect((await invoke(['validate', '-'], instance('3', 'example.com'))).code).toBe(0);
    expect((await invoke(['validate', '-', '--fail-on', 'warning'], instance('3', 'example.com'))).code).toBe(1);
    expect((await invoke(['validate', '-', '--fail-on', 'warning'], RGD)).code).toBe(0);
  });

  it('shows examples in its help', async () => {
    const { stdout } = await invoke(['validate', '--help']);
    expect(stdout).toContain('Examples:\n  render-rgd validate apps/\n');
    expect(stdout).not.toContain('--on-pending');
  });

  it('counts instances that nothing defines as not checked', async () => {
    const object = (kind: string): string => `apiVersion: db.example.com/v1\nkind: ${kind}\nmetadata: {name: one}\n`;
    const { stdout } = await invoke(['validate', '-'], `${object('Database')}---\n${object('Cache')}`);
    expect(stdout.trimEnd().split('\n').at(-1)).toBe(
      '2 objects in 1 file: 1 warning; 0 checked, 2 not checked (Database.db.example.com: no RGD; Cache.db.example.com: no RGD)',
    );
  });
});
