import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { projectFiles } from '../../src/author/project/index.ts';
import { partOf } from '../properties/runs.ts';
import { reported, validated } from './equal.ts';

const root = new URL('../../', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'render-rgd-editor-'));
afterAll(() => rmSync(folder, { recursive: true }));

/**
 * Copies a folder out of this repository, whose other files `validate` would see too. The expected results of the
 * conformance cases are lists of objects, which are no input.
 */
function copied(path: string): string {
  const target = join(folder, path);
  cpSync(join(root, path), target, { recursive: true, filter: (name) => !/\/expected[\w-]*\.json$/.test(name) });
  return target;
}

const foldersOf = (path: string): string[] =>
  readdirSync(join(root, path))
    .map((name) => `${path}/${name}`)
    .filter((name) => statSync(join(root, name)).isDirectory())
    // Cases that exhaust a budget take seconds each.
    .filter((name) => !name.includes('/budget-'));

const conformance = partOf(foldersOf('test/conformance').flatMap(foldersOf), 8);

describe('the diagnostics of an editor are those of validate', () => {
  it.each([...foldersOf('examples'), ...foldersOf('test/cases'), ...conformance])('in %s', async (path) => {
    const target = copied(path);
    expect(reported(target)).toEqual(await validated(target));
  });

  const project = (name: string): string => {
    const target = join(folder, name);
    for (const [path, text] of projectFiles()) {
      mkdirSync(join(target, path, '..'), { recursive: true });
      writeFileSync(join(target, path), text);
    }
    return target;
  };
  it('in a new project', async () => {
    const target = project('new');
    expect(reported(target)).toEqual(await validated(target));
  });
  it('in a project whose instance has an unknown kind', async () => {
    const target = project('unknown');
    const instance = join(target, 'apps', 'typo.yaml');
    writeFileSync(
      instance,
      'apiVersion: platform.example.com/v1alpha1\nkind: WebSite\nmetadata: {name: a, namespace: b}\n',
    );
    expect(reported(target).join('\n')).toContain('undefined-kind');
    expect(reported(target)).toEqual(await validated(target));
  });
  it('in a project whose RGD was deleted', async () => {
    const target = project('deleted');
    rmSync(join(target, 'platform'), { recursive: true });
    expect(reported(target).join('\n')).toContain('undefined-kind');
    expect(reported(target)).toEqual(await validated(target));
  });
});
