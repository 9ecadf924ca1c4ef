import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { invoke } from './invoke.ts';

const RGD = 'apiVersion: kro.run/v1alpha1\nkind: ResourceGraphDefinition\nmetadata:\n  name: app\n';
const UNFORMATTED = 'kind: ResourceGraphDefinition\napiVersion: kro.run/v1alpha1\nmetadata:\n  name: app\n';
const BROKEN = 'kind: ResourceGraphDefinition\nspec: [\n';

/** Writes files to a new folder, and returns its path. */
function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'fmt-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

describe('fmt', () => {
  it('formats files in place, and prints the names of those that changed', async () => {
    const folder = folderOf({ 'a.yaml': `\uFEFF${UNFORMATTED}`, 'b.yaml': RGD, 'c.yaml': 'a:   [\n' });
    const file = join(folder, 'a.yaml');
    expect(await invoke(['fmt', folder])).toEqual({ code: 0, stdout: `${file}\n`, stderr: '' });
    expect(readFileSync(file, 'utf8')).toBe(`\uFEFF${RGD}`);
    expect(await invoke(['fmt', folder])).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(readFileSync(join(folder, 'c.yaml'), 'utf8')).toBe('a:   [\n');
  });

  it('prints standard input in its canonical form', async () => {
    expect(await invoke(['fmt', '-'], `${UNFORMATTED}---\na:   1\n`)).toEqual({
      code: 0,
      stdout: `${RGD}---\na:   1\n`,
      stderr: '',
    });
  });

  it('--check fails for files that are not formatted, and --diff prints a patch; neither writes', async () => {
    const folder = folderOf({ 'a.yaml': UNFORMATTED, 'b.yaml': RGD });
    const file = join(folder, 'a.yaml');
    const checked = await invoke(['fmt', folder, '--check']);
    expect(checked).toMatchObject({ code: 1, stdout: '' });
    expect(checked.stderr).toContain(`${file} is not formatted`);
    expect((await invoke(['fmt', join(folder, 'b.yaml'), '--check'])).code).toBe(0);
    const patch = `--- ${file}
+++ ${file}
@@ -1,4 +1,4 @@
-kind: ResourceGraphDefinition
 apiVersion: kro.run/v1alpha1
+kind: ResourceGraphDefinition
 metadata:
   name: app
`;
    expect(await invoke(['fmt', folder, '--diff'])).toEqual({ code: 0, stdout: patch, stderr: '' });
    expect(await invoke(['fmt', folder, '--diff', '--check'])).toMatchObject({ code: 1, stdout: patch });
    expect(readFileSync(file, 'utf8')).toBe(UNFORMATTED);
  });

  it('reports an RGD that is invalid YAML, and formats the others', async () => {
    const { code, stdout, stderr } = await invoke(['fmt', '-'], `${UNFORMATTED}---\n${BROKEN}---\na: [\n`);
    expect({ code, stdout }).toEqual({ code: 1, stdout: `${RGD}---\n${BROKEN}---\na: [\n` });
    expect(stderr.match(/error\[[a-z-]+\]/g)).toEqual(['error[yaml-syntax]']);
  });

  it('needs a path', async () => expect((await invoke(['fmt'])).code).toBe(2));
});
