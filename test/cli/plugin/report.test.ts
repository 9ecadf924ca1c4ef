import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { note, noteRgd } from '../resourcelist/packages.ts';
import { workingCopy } from './working-copy.ts';

const copy = workingCopy();
const bytes = (text: string): number => Buffer.byteLength(text);

const TWICE = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {a: b, a: c}\n';

describe('the output of the plugin', () => {
  it.each([
    [19, 0],
    [20, 0],
    [21, 1],
    [5_000, 4_980],
  ])('counts %i errors, of which %i are not printed', async (count, left) => {
    const notes = Array.from({ length: count }, (_, index) => note(`n${index}`, '{text: 7}'));
    copy.write({ 'app/rgd.yaml': noteRgd, 'app/a.yaml': notes.join('---\n') });
    const { code, stdout, stderr } = await copy.generate();
    const lines = stderr.trimEnd().split('\n');
    const told = lines.filter((line) => line.includes('error[instance-type]'));
    expect({ code, stdout, told: told.length }).toEqual({ code: 1, stdout: '', told: count - left });
    expect(lines.at(-1)).toMatch(left === 0 ? /error\[|hint: / : `and ${left} error${left === 1 ? '' : 's'} more`);
    expect(bytes(stderr)).toBeLessThan(65_536);
  });

  it('counts warnings after errors', async () => {
    const notes = Array.from({ length: 30 }, (_, index) => note(`n${index}`, '{text: 7}'));
    copy.write({ 'app/rgd.yaml': noteRgd, 'app/a.yaml': notes.join('---\n'), 'app/b.yaml': TWICE });
    expect((await copy.generate()).stderr).toMatch(/\nand 10 errors and 1 warning more\n$/);
  });

  it.each([
    ['a long line of text', 'x'.repeat(200_000)],
    ['characters of several bytes', '\u{1F600}ä€'.repeat(50_000)],
    ['many lines', 'line\n'.repeat(50_000)],
    ['control characters', '\u0001'.repeat(50_000)],
  ])('stays short if a tool prints %s', async (_, text) => {
    copy.write({ 'app/kustomization.yaml': '{}', 'app/said': `first ${text} last` });
    copy.tool('kustomize', '#!/bin/sh\n/bin/cat said >&2; exit 1\n');
    const { stderr } = await copy.generate([{ name: 'build', string: 'kustomize' }]);
    expect(bytes(stderr)).toBeLessThan(3_100);
    expect(stderr).toMatch(
      /^error\[build-failed\]: kustomize failed with exit code 1: first .* bytes omitted\) .* last\n$/,
    );
    expect(stderr).not.toContain('\uFFFD');
  });

  it('has the error on the first line, without an excerpt of the file', async () => {
    copy.write({ 'app/rgd.yaml': noteRgd, 'app/a.yaml': note('a', '{text: 7}') });
    const { stderr } = await copy.generate();
    expect(stderr.split('\n')[0]).toMatch(/^error\[instance-type\] Note\/a: \S/);
    expect(stderr).not.toMatch(/\^|spec: \{/);
  });

  it('has the lines of a tool on the first line', async () => {
    copy.write({ 'app/kustomization.yaml': '{}' });
    copy.tool('kustomize', '#!/bin/sh\nprintf "\\nError: one\\n\\n  two\\n" >&2; exit 1\n');
    const { stderr } = await copy.generate([{ name: 'build', string: 'kustomize' }]);
    expect(stderr).toBe('error[build-failed]: kustomize failed with exit code 1: Error: one two\n');
  });

  it('has paths of the working copy relative to the current folder', async () => {
    copy.write({ 'app/kustomization.yaml': '{}' });
    const repository = join(copy.top(), 'repository');
    copy.tool('kustomize', `#!/bin/sh\necho "$PWD/base: $PWD, '${repository}/x' ${repository} $PWD-b" >&2; exit 1\n`);
    const { stderr } = await copy.generate([{ name: 'build', string: 'kustomize' }]);
    expect(stderr).toContain(`exit code 1: ./base: ., '../x' .. ../app-b\n`);
  });

  it('is the same for a copy in another folder', async () => {
    copy.write({ 'app/kustomization.yaml': '{}', 'other/app/kustomization.yaml': '{}', 'other/.git/HEAD': '' });
    copy.tool('kustomize', '#!/bin/sh\necho "no $PWD/base and no ${PWD%/*}/lib" >&2; exit 1\n');
    const variables = { ARGOCD_APP_PARAMETERS: JSON.stringify([{ name: 'build', string: 'kustomize' }]) };
    const [one, two] = [
      await copy.call('generate', { variables }),
      await copy.call('generate', { variables, folder: 'other/app' }),
    ];
    expect(one.stderr).toBe(two.stderr);
  });
});
