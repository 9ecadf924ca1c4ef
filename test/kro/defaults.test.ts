import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { invoke } from '../cli/invoke.ts';

let folder: string;
const write = (files: Record<string, string>): void => {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
};
const rgd = (kind: string, template: string): string => `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: { name: ${kind.toLowerCase()} }
spec:
  schema:
    apiVersion: v1alpha1
    kind: ${kind}
    spec: { size: 'string | default="s"', tags: "[]string", web: { port: integer | default=80, host: string } }
  resources:
    - id: one
      template: ${template}
`;
const DATA = `{ apiVersion: v1, kind: ConfigMap, metadata: { name: "\${schema.metadata.name}" }, data: { v: "\${schema.spec.size} \${string(schema.spec.web.port)} \${schema.spec.web.?host.orValue('none')}" } }`;
const instance = (spec: string): string =>
  `apiVersion: kro.run/v1alpha1\nkind: Site\nmetadata: { name: blog, namespace: web }\nspec: ${spec}\n`;
const defaults = (spec: string, kind = 'Site'): string =>
  `apiVersion: kro.run/v1alpha1\nkind: ${kind}\nspec: ${spec}\n`;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'render-rgd-defaults-'));
  write({ 'app/rgd.yaml': rgd('Site', DATA), 'app/site.yaml': instance('{ web: { port: 8080 } }') });
});
afterEach(() => rmSync(folder, { recursive: true }));

const render = (...args: string[]) =>
  invoke(['render', join(folder, 'app'), '--defaults', join(folder, 'prod.yaml'), ...args]);

describe('--defaults', () => {
  it('gives instances missing fields, before the defaults of the schema', async () => {
    write({ 'prod.yaml': defaults('{ size: xl, web: { port: 1, host: example.com } }') });
    const { code, stdout } = await render();
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('v: xl 8080 example.com\n') });
  });

  it('applies to nested instances too, and ignores kinds of other packages', async () => {
    write({
      'app/rgd.yaml': rgd('Site', '{ apiVersion: kro.run/v1alpha1, kind: Inner, metadata: { name: i } }'),
      'app/inner.yaml': rgd('Inner', DATA),
      'prod.yaml': `${defaults('{ size: xl }', 'Inner')}---\n${defaults('{}', 'Other')}`,
    });
    const { code, stdout, stderr } = await render();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('v: xl 80 none\n');
  });

  it('has its fields checked as those of the instance', async () => {
    write({ 'prod.yaml': defaults('{ sise: xl }') });
    const { code, stderr } = await render();
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('instance-unknown-field') });
  });

  it('is shown by explain, with the line', async () => {
    write({ 'prod.yaml': defaults('{ size: xl }') });
    const args = [join(folder, 'app'), '--defaults', join(folder, 'prod.yaml')];
    const { stdout } = await invoke(['explain', 'ConfigMap/web/blog', '.data.v', ...args]);
    expect(stdout).toMatch(/the default of Site in the file of --defaults, spec\.size = "xl" .*prod\.yaml:3:15/);
  });

  it.each([
    ['apiVersion: v1\nkind: ConfigMap\ndata: {}\n', 'defaults have no data'],
    ['apiVersion: v1\nkind: Site\n', 'defaults need a spec that is a map'],
    [`${defaults('{}')}---\n${defaults('{}')}`, 'there are defaults of Site.kro.run twice'],
    ['a: b\n', 'the defaults of a kind are an object'],
  ])('rejects %j', async (text, message) => {
    write({ 'prod.yaml': text });
    const { code, stderr } = await render();
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(message) });
  });
});
