import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Invocation, invoke } from './invoke.ts';

const example = fileURLToPath(new URL('../../examples/collections/input', import.meta.url));

let folder: string;
let before: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'render-rgd-output-'));
  cpSync(example, at('app'), { recursive: true });
  before = (await invoke(['render', at('app')])).stdout;
  const written = await invoke(['render', at('app'), '--output-dir', at('app/out')]);
  expect(written.code).toBe(0);
});
afterEach(() => rmSync(folder, { recursive: true }));

const at = (path: string): string => join(folder, path);

interface Found {
  code: string;
  severity: string;
  file?: string;
  message: string;
}

/** Returns the diagnostics about output folders; `validate` prints them as its result. */
function found({ stdout, stderr }: Invocation): Found[] {
  const printed = stdout.startsWith('[') ? stdout : stderr;
  return (JSON.parse(printed === '' ? '[]' : printed) as Found[]).filter(({ code }) => code.startsWith('output-'));
}

const asJson = (...args: readonly string[]): Promise<Invocation> => invoke([...args, '--diagnostics', 'json']);

describe('a folder that render wrote, below the path of a command', () => {
  it('is not read by render and validate, which say so', async () => {
    const rendered = await asJson('render', at('app'));
    expect(rendered.code).toBe(0);
    expect(rendered.stdout).toBe(before);
    expect(found(rendered)).toEqual([
      expect.objectContaining({
        code: 'output-skipped',
        severity: 'info',
        message: expect.stringContaining(at('app/out')),
      }),
    ]);
    const validated = await asJson('validate', at('app'));
    expect(validated.code).toBe(0);
    expect(found(validated)).toHaveLength(1);
  });

  it('may be written again, and checked', async () => {
    const again = await invoke(['render', at('app'), '--output-dir', at('app/out'), '--check']);
    expect(again.code).toBe(0);
  });

  it.each([
    [
      'a new manifest',
      () => writeFileSync(at('app/out/new.yaml'), 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n'),
    ],
    [
      'a new manifest in a new folder',
      () => {
        mkdirSync(at('app/out/new/deep'), { recursive: true });
        writeFileSync(at('app/out/new/deep/a.json'), '{}');
      },
    ],
    [
      'a manifest with another name',
      () => writeFileSync(at('app/out/new.txt'), 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n'),
    ],
    ['an instance', () => cpSync(at('app/books.yaml'), at('app/out/books.yaml'))],
    ['a changed file', () => appendFileSync(at('app/out/shop/service-books-cache.yaml'), '# changed\n')],
    ['a link', () => symlinkSync(at('app/books.yaml'), at('app/out/link.yaml'))],
    ['a link to a folder', () => symlinkSync(at('app'), at('app/out/link.yaml'))],
  ])('is an error with %s, and nothing is rendered', async (_, change) => {
    change();
    const rendered = await asJson('render', at('app'));
    expect(rendered.code).toBe(1);
    expect(rendered.stdout).toBe('');
    expect(found(rendered).filter(({ severity }) => severity === 'error')).toHaveLength(1);
    const validated = await asJson('validate', at('app'));
    expect(validated.code).toBe(1);
    expect(found(validated).filter(({ severity }) => severity === 'error')).toHaveLength(1);
  });

  it('may have the file of a runner, a text, and fewer files', async () => {
    writeFileSync(at('app/out/kustomization.yaml'), 'resources: [shop/service-books-cache.yaml]\n');
    writeFileSync(at('app/out/README.md'), '# Rendered\n');
    rmSync(at('app/out/shop/service-books-cache.yaml'));
    const rendered = await asJson('render', at('app'));
    expect(rendered.code).toBe(0);
    expect(rendered.stdout).toBe(before);
  });

  it('is an error with a list that nobody can read', async () => {
    writeFileSync(at('app/out/.render-rgd.sha256'), 'no digest\n');
    const rendered = await invoke(['render', at('app')]);
    expect(rendered.code).toBe(1);
    expect(rendered.stderr).toContain('error[tree-list]');
  });

  it('is not fixed', async () => {
    const fixed = await invoke(['validate', at('app'), '--fix']);
    expect(fixed.code).toBe(0);
    expect(existsSync(at('app/out/shop/service-books-cache.yaml'))).toBe(true);
    expect((await invoke(['render', at('app'), '--output-dir', at('app/out'), '--check'])).code).toBe(0);
  });
});

describe('a folder that render wrote', () => {
  it('is read if it is the path of the command', async () => {
    const validated = await asJson('validate', at('app/out'));
    expect(found(validated)).toEqual([]);
    const rendered = await invoke(['render', at('app/out'), '--all']);
    expect(rendered.stdout).toContain('kind: Service');
  });
});

it('does not lose an instance that a rendering left in the folder', async () => {
  const rgd =
    'apiVersion: kro.run/v1alpha1\nkind: ResourceGraphDefinition\nmetadata: {name: app}\nspec:\n  schema: {apiVersion: v1alpha1, kind: App, spec: {a: string}}\n  resources:\n  - {id: c, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: c}, data: {a: "${schema.spec.a}"}}}\n';
  const instance = 'apiVersion: kro.run/v1alpha1\nkind: App\nmetadata: {name: a, namespace: web}\nspec: {a: b}\n';
  mkdirSync(at('own/out'), { recursive: true });
  writeFileSync(at('own/rgd.yaml'), rgd);
  writeFileSync(at('own/out/a.yaml'), instance);
  const { createHash } = await import('node:crypto');
  const digest = createHash('sha256').update(instance).digest('hex');
  writeFileSync(at('own/out/.render-rgd.sha256'), `${digest}  a.yaml\n`);
  const validated = await asJson('validate', at('own'));
  expect(validated.code).toBe(1);
  expect(found(validated).map(({ code, severity }) => [code, severity])).toEqual([
    ['output-skipped', 'info'],
    ['output-file', 'error'],
  ]);
});
