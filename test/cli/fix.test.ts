import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { invoke } from './invoke.ts';
import { blog, configMap, website } from './mistakes.ts';

/** Two mistakes with one fix each, and a name that only the author can correct. */
const WRONG = website({
  spec: 'image: string | required=true default=nginx',
  resources: configMap('image: "{schema.spec.image}"'),
});
const RIGHT = WRONG.replace('required=true ', '').replace('"{schema', '"${schema');

function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'fix-'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

const read = (folder: string, name: string): string => readFileSync(join(folder, name), 'utf8');

describe('validate --fix', () => {
  it('applies the fixes without an alternative, and validates the result', async () => {
    const folder = folderOf({ 'rgd.yaml': `\uFEFF${WRONG}`, 'deep/blog.yaml': blog() });
    const file = join(folder, 'rgd.yaml');
    expect(await invoke(['validate', folder, '--fix'])).toEqual({
      code: 0,
      stdout: '2 objects in 2 files: nothing wrong\n',
      stderr: `changed ${file}\nfixed 2 problems in 1 file\n`,
    });
    expect(read(folder, 'rgd.yaml')).toBe(`\uFEFF${RIGHT}`);
    expect(await invoke(['validate', folder, '--fix'])).toMatchObject({ code: 0, stderr: '' });
  });

  it('keeps the line breaks of a file', async () => {
    const folder = folderOf({ 'rgd.yaml': WRONG.replaceAll('\n', '\r\n') });
    await invoke(['validate', folder, '--fix']);
    expect(read(folder, 'rgd.yaml')).toBe(RIGHT.replaceAll('\n', '\r\n'));
  });

  it('reports what it cannot fix', async () => {
    const folder = folderOf({ 'rgd.yaml': WRONG, 'blog.yaml': blog('picture: x') });
    const { code, stdout } = await invoke(['validate', folder, '--fix']);
    expect(code).toBe(1);
    expect(stdout).toContain('unknown-field');
    expect(read(folder, 'rgd.yaml')).toBe(RIGHT);
    expect(read(folder, 'blog.yaml')).toBe(blog('picture: x'));
  });

  it('--dry-run prints a patch, and changes nothing', async () => {
    const folder = folderOf({ 'rgd.yaml': WRONG });
    const { code, stdout, stderr } = await invoke(['validate', folder, '--fix', '--dry-run']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(
      '-      image: string | required=true default=nginx\n+      image: string | default=nginx\n',
    );
    expect(stdout).toContain(`--- ${join(folder, 'rgd.yaml')}`);
    expect(read(folder, 'rgd.yaml')).toBe(WRONG);
  });

  it('shows no value of a Secret in a patch', async () => {
    const secret = `    - id: secret
      template:
        apiVersion: v1
        kind: Secret
        metadata: { name: "{schema.spec.image}" }
        stringData: { key: "planted {schema.spec.image}" }
`;
    const folder = folderOf({ 'rgd.yaml': website({ resources: secret }) });
    const { stdout } = await invoke(['validate', folder, '--fix', '--dry-run']);
    expect(stdout).toContain('+++');
    expect(stdout).not.toContain('planted');
  });

  it('changes no file that is excluded, that a chart renders or that defines kinds beside the package', async () => {
    const files = {
      'rgd.yaml': website(),
      'old/rgd.yaml': WRONG,
      'chart/Chart.yaml': 'apiVersion: v2\nname: x\nversion: 0.1.0\n',
      'chart/templates/rgd.yaml': WRONG,
      'beside/rgd.yaml': WRONG.replaceAll('ebsite', 'eblog'),
    };
    const folder = folderOf(files);
    const beside = ['--definitions', join(folder, 'beside')];
    await invoke(['validate', folder, '--fix', '--exclude', 'old', '--exclude', 'beside', ...beside]);
    for (const [name, text] of Object.entries(files)) expect(read(folder, name), name).toBe(text);
  });

  it.each([
    [['--dry-run'], '--dry-run needs --fix'],
    [['--fix', '--watch'], '--fix does not support --watch'],
    [['--fix', '-'], '--fix changes files; pass a file or a folder'],
  ])('rejects %j', async (options, message) => {
    const { code, stderr } = await invoke(['validate', folderOf({ 'rgd.yaml': website() }), ...options], '');
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  it('reports a file that cannot be read, and changes nothing', async () => {
    const { code, stderr } = await invoke(['validate', join(folderOf({}), 'none'), '--fix', '--dry-run']);
    expect(code).toBe(1);
    expect(stderr).toContain('unreadable-file');
  });
});

/** The results of a report in SARIF. */
async function resultsOf(folder: string): Promise<{ ruleId: string; fixes?: unknown }[]> {
  const { stdout } = await invoke(['validate', folder, '-o', 'sarif']);
  return JSON.parse(stdout).runs[0].results;
}

describe('validate -o sarif', () => {
  it('has the fixes that an editor offers', async () => {
    const folder = folderOf({ 'rgd.yaml': RIGHT.replace('string | default', 'string | defualt') });
    const [result] = await resultsOf(folder);
    const line = RIGHT.split('\n').findIndex((text) => text.includes('default=nginx')) + 1;
    const column = (RIGHT.split('\n')[line - 1] ?? '').indexOf('default') + 1;
    expect(result).toMatchObject({
      ruleId: 'unknown-marker',
      fixes: [
        {
          artifactChanges: [
            {
              replacements: [
                {
                  deletedRegion: { startLine: line, startColumn: column, endLine: line, endColumn: column + 7 },
                  insertedContent: { text: 'default' },
                },
              ],
            },
          ],
        },
      ],
    });
  });

  it('has no fix in a line that may show a Secret', async () => {
    const blogOf = (name: string): string =>
      `{apiVersion: kro.run/v1alpha1, kind: Website, metadata: {name: ${name}}, spec: {image: 5}}`;
    const secret = '{apiVersion: v1, kind: Secret, metadata: {name: s}, stringData: {pin: "907351"}}';
    const folder = folderOf({
      'rgd.yaml': RIGHT,
      'alone.yaml': `{apiVersion: v1, kind: List, items: [${blogOf('a')}]}\n`,
      'beside.yaml': `{apiVersion: v1, kind: List, items: [${blogOf('b')}, ${secret}]}\n`,
    });
    const results = await resultsOf(folder);
    expect(results.map(({ ruleId, fixes }) => [ruleId, fixes !== undefined])).toEqual([
      ['instance-type', true],
      ['instance-type', false],
    ]);
    expect(JSON.stringify(results)).not.toContain('907351');
  });
});
