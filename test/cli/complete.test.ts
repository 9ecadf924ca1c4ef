import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { invoke } from './invoke.ts';

const FILE = `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: { name: site }
spec: { schema: { apiVersion: v1, kind: Site }, resources: [] }
---
{ apiVersion: kro.run/v1, kind: Site, metadata: { name: blog, namespace: web } }
---
{ apiVersion: v1, kind: ConfigMap, metadata: { name: a } }
---
{ apiVersion: kro.run/v1, kind: Site, metadata: { name: "$(reboot) x" } }
`;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'render-rgd-complete-'));
  writeFileSync(join(folder, 'a.yaml'), FILE);
  writeFileSync(join(folder, 'broken.yaml'), 'kind: [');
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('completion of words in files', () => {
  it.each([
    ['kinds', 'Site\n'],
    ['rgds', 'site\n'],
    ['instances', 'Site/web/blog\n'],
  ])('offers %s, and nothing that a shell would run', async (source, stdout) => {
    expect(await invoke(['completion', source, folder])).toEqual({ code: 0, stdout, stderr: '' });
  });

  it('offers nothing for an empty folder', async () => {
    expect(await invoke(['completion', 'kinds', join(folder, 'none')])).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it.each([
    [['graph', '--direction', ''], 'LR'],
    [['validate', '--report', ''], 'sarif'],
    [['validate', '--disable', ''], 'lint-unread-field'],
    [['diff', '--ag'], '--against\tCompare with the files of a git commit: a branch, a tag or a hash.'],
    [['schema', ''], 'rgd'],
    [['ren'], 'render\tPrint the objects that the instances render to'],
    [['help', ''], 'validate\tValidate'],
  ])('completion words -- %j: %s', async (words, line) => {
    const { code, stdout } = await invoke(['completion', 'words', '--', ...words]);
    expect(code).toBe(0);
    expect(stdout.split('\n').some((one) => one.startsWith(line))).toBe(true);
  });

  it.each([[['unknown', '']], [['render', 'apps']], [['render', '--namespace', '']], [['help', 'a', '']]])(
    'completion words -- %j: nothing, so that the shell completes paths',
    async (words) => {
      const { stdout } = await invoke(['completion', 'words', '--', ...words]);
      expect(stdout).toBe('');
    },
  );
});
