import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { npm, packInto } from './packed.ts';
import { bundle, execute } from './sandbox.ts';

const root = dirname(dirname(bundle));
const { config, exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

let folder: string;
let tarball: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'render-rgd-package-'));
  tarball = join(folder, packInto(folder));
}, 300_000);
afterAll(() => rmSync(folder, { recursive: true }));

describe('the packed package', () => {
  let project: string;
  beforeAll(() => {
    project = join(folder, 'project');
    mkdirSync(project);
    writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }');
    expect(npm(['install', tarball], project)).toMatchObject({ code: 0 });
  });

  it('is in the path that npm names, with the version of the repository', () => {
    expect(readdirSync(folder)).toContain(`render-rgd-${config.version}.tgz`);
    const command = join(project, 'node_modules/.bin/render-rgd');
    expect(execute(command, ['--version'])).toEqual({ code: 0, stdout: `${config.version}\n`, stderr: '' });
  });

  it('renders', () => {
    const { code, stdout } = npm(
      ['exec', '--', 'render-rgd', 'render', join(root, 'examples/collections/input')],
      project,
    );
    expect(code).toBe(0);
    expect(stdout).toBe(readFileSync(join(root, 'examples/collections/expected.yaml'), 'utf8'));
  });

  it('has a library with types that can be imported by name', () => {
    // The worker answers messages of a page, which Node does not support.
    const others = ['./package.json', './language-worker'];
    const names = Object.keys(exports).filter((name) => !others.includes(name));
    const program = names.map((name, index) => {
      const specifier = JSON.stringify(name.replace(/^\./, 'render-rgd'));
      const attributes = name.endsWith('.json') ? " with { type: 'json' }" : '';
      return `import * as all${index} from ${specifier}${attributes}; console.log(Object.keys(all${index}).length > 0);`;
    });
    writeFileSync(join(project, 'imports.mjs'), program.join('\n'));
    const { stdout, stderr } = execute(process.execPath, ['imports.mjs'], { cwd: project });
    expect({ stdout, stderr }).toEqual({ stdout: 'true\n'.repeat(names.length), stderr: '' });
    const installed = join(project, 'node_modules/render-rgd');
    const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
    for (const { types } of Object.values<{ types?: string }>(manifest.exports)) {
      if (types !== undefined) expect(readFileSync(join(installed, types), 'utf8')).toContain('export');
    }
  });

  it('has documents and notices, and no sources', () => {
    const files = readdirSync(join(project, 'node_modules/render-rgd'), { recursive: true }).map(String);
    const documents = [
      'README.md',
      'CHANGELOG.md',
      'LICENSE',
      'plugin.yaml',
      'plugin-discovery.yaml',
      'diagnostics.schema.json',
      'THIRD_PARTY_NOTICES.txt',
      'sbom.cdx.json',
    ];
    expect(files).toEqual(expect.arrayContaining(documents));
    expect(files.filter((path) => /^(?:src|test|tools|node_modules)\//.test(path))).toEqual([]);
    expect(files.filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts'))).toEqual([]);
  });
});

describe('npm pack', () => {
  it('fails for the repository', () => {
    const { code, stderr } = npm(['pack', '--pack-destination', join(folder)], root);
    expect(code).not.toBe(0);
    expect(stderr).toContain('must have name and version');
  });

  it('fails for a folder dist with only the executable', () => {
    const copy = join(folder, 'bare');
    mkdirSync(copy);
    for (const entry of ['src', 'data', 'tools', 'package.json', 'package-lock.json', 'LICENSE', 'tsconfig.json']) {
      cpSync(join(root, entry), join(copy, entry), { recursive: true });
    }
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
    expect(npm(['pack', './dist'], copy).code).not.toBe(0);
    expect(execute(process.execPath, ['tools/build.mjs', '--no-types'], { cwd: copy }).code).toBe(0);
    expect(npm(['pack', './dist'], copy).stderr).toContain('must have name and version');
  });
});
