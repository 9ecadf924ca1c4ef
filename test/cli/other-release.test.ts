import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { temporaryFolder } from '../temporary.ts';
import { type Invocation, invoke } from './invoke.ts';

let folder = '';
let input = '';
let observed = '';
let rendered = '';

const PACKAGE = `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: { name: x }
spec:
  schema: { apiVersion: v1, kind: X, spec: { image: string } }
  resources:
    - id: source
      externalRef: { apiVersion: v1, kind: Secret, metadata: { name: token } }
    - id: config
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata: { name: "\${schema.metadata.name}" }
        data:
          image: "\${schema.spec.image}"
          token: "\${string(source.data.token)}"
---
{ apiVersion: kro.run/v1, kind: X, metadata: { name: a, namespace: web }, spec: { image: nginx } }
`;
const SECRET = '{apiVersion: v1, kind: Secret, metadata: {name: token, namespace: web}, data: {token: aHVudGVyMg==}}';

beforeEach(async () => {
  folder = temporaryFolder('other-release');
  input = join(folder, 'input');
  mkdirSync(join(input, '.git'), { recursive: true });
  writeFileSync(join(input, 'x.yaml'), PACKAGE);
  observed = join(folder, 'secret.yaml');
  writeFileSync(observed, SECRET);
  rendered = (await invoke(['render', input, '--observed', observed])).stdout;
  expect(rendered).toContain('hunter2');
});

interface Fake {
  version?: string;
  stdout?: string;
  diagnostics?: unknown;
  code?: number;
  path?: string;
}

let count = 0;
/** Writes a program that answers as a release of render-rgd, and writes its arguments to a file beside it. */
function release({ version = '0.0.9', stdout = rendered, diagnostics = [], code = 0, path }: Fake = {}): string {
  count += 1;
  const file = path ?? join(folder, `release-${count}.cjs`);
  const printed = typeof diagnostics === 'string' ? diagnostics : JSON.stringify(diagnostics);
  writeFileSync(
    file,
    `#!${process.execPath}
if (process.argv[2] === '--version') console.log(${JSON.stringify(version)});
else {
  require('node:fs').writeFileSync(${JSON.stringify(`${file}.args`)}, JSON.stringify([process.argv.slice(2), process.env]));
  process.stdout.write(${JSON.stringify(stdout)});
  process.stderr.write(${JSON.stringify(printed)});
  process.exitCode = ${code};
}
`,
  );
  chmodSync(file, 0o755);
  return file;
}

const compare = (program: string, ...more: string[]): Promise<Invocation> =>
  invoke(['compat', input, '--observed', observed, '--render-rgd', program, ...more]);

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('compat --render-rgd', () => {
  it('says how many objects two releases render alike', async () => {
    expect(await compare(release())).toMatchObject({
      code: 0,
      stdout:
        'no difference between render-rgd 0.0.9 and this release (0.0.0-test): 1 object and 1 object\n2 objects in 1 file: nothing wrong\n',
    });
  });

  it('reports changed fields without values of a Secret', async () => {
    const stdout = rendered.replace('nginx', 'other').replace('hunter2', 'hunter3');
    const result = await compare(release({ stdout }));
    expect(result.code).toBe(1);
    expect(result.stdout).toContain('1 difference between render-rgd 0.0.9 and this release');
    expect(result.stdout).toContain('changed ConfigMap web/a (X web/a, node config): data.image, data.token');
    expect(result.stdout).toContain('x.yaml:9:7');
    expect(`${result.stdout}${result.stderr}`).not.toMatch(/hunter/);
  });

  it('reports objects that one release alone renders', async () => {
    const more = `${rendered}---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: second\n`;
    expect((await compare(release({ stdout: more }))).stdout).toContain('removed ConfigMap second');
    const result = await compare(release({ stdout: '' }));
    expect(result.stdout).toContain('added ConfigMap web/a');
    expect(result).toMatchObject({ code: 1 });
  });

  it('says that the same objects are written in another form', async () => {
    const result = await compare(release({ stdout: rendered.replace('kind: ConfigMap', "kind: 'ConfigMap'") }));
    expect(result.code).toBe(0);
    expect(result.stdout).toContain(
      'warning[release-change]: render-rgd 0.0.9 and this release (0.0.0-test) render the same',
    );
  });

  it('reports diagnostics that one release alone has', async () => {
    const diagnostics = [{ severity: 'warning', code: 'unknown-kind', object: 'X/a', message: 'no such kind' }];
    const result = await compare(release({ diagnostics }));
    expect(result.stdout).toContain('1 difference');
    expect(result.stdout).toContain(
      'render-rgd 0.0.9 reports, and this release (0.0.0-test) does not: warning[unknown-kind] X/a: no such kind',
    );
  });

  it.each<[what: string, fake: Fake, message: string]>([
    [
      'has an error',
      { stdout: '', code: 1, diagnostics: [{ severity: 'error', code: 'compile', message: 'wrong' }] },
      'no object is compared: render-rgd 0.0.9 reports error[compile]: wrong',
    ],
    ['ends with 1 and no error', { stdout: '', code: 1 }, 'did not render: exit code 1 without an error'],
    ['ends with a bug', { stdout: '', code: 3, diagnostics: 'it broke' }, 'did not render: exit code 3, it broke'],
    ['prints no diagnostics', { diagnostics: 'hello' }, 'did not render: exit code 0, hello'],
    ['prints other diagnostics', { diagnostics: [{ text: 'x' }] }, 'did not render: exit code 0'],
    ['prints no YAML', { stdout: 'a: [' }, 'did not render: its output is not read'],
    ['has no version', { version: 'hello' }, '--version prints no version: it is no render-rgd'],
  ])('never passes if the other release %s', async (_, fake, message) => {
    const { code, stdout, stderr } = await compare(release(fake));
    expect(code).toBe(1);
    expect(`${stdout}${stderr}`).toContain('error[release-not-compared]');
    expect(`${stdout}${stderr}`).toContain(message);
    expect(stdout).not.toContain('no difference');
  });

  it('never passes if this release has an error', async () => {
    const { code, stdout } = await invoke([
      'compat',
      input,
      '--namespace',
      'web',
      '--strict',
      '--render-rgd',
      release(),
      '--max-steps',
      '1',
    ]);
    expect(code).toBe(1);
    expect(stdout).toContain('no object is compared: this release (0.0.0-test) reports error[');
  });

  it('counts pending values, and fails for them with --fail-on unknown', async () => {
    const template = '{apiVersion: v1, kind: ConfigMap, metadata: {name: plain}}';
    const more = PACKAGE.replace('  resources:\n', `  resources:\n    - id: plain\n      template: ${template}\n`);
    writeFileSync(join(input, 'x.yaml'), more);
    const { stdout, stderr } = await invoke(['render', input, '--on-pending', 'skip', '--report', 'json']);
    const args = ['compat', input, '--render-rgd', release({ stdout, diagnostics: stderr })];
    const result = await invoke(args);
    expect(result.code).toBe(0);
    expect(result.stdout).toContain('no difference');
    expect(result.stdout).toContain('1 object and 1 object\n');
    expect(result.stdout).toContain('pending values not compared');
    expect((await invoke([...args, '--fail-on', 'unknown'])).code).toBe(1);
    expect((await invoke([...args, '--strict'])).code).toBe(1);
  });

  it('passes only the options of the command line, and no variables', async () => {
    vi.stubEnv('NODE_OPTIONS', '--no-warnings');
    vi.stubEnv('TOKEN', 'hunter2');
    const program = release();
    await compare(program, '--groups', 'a.example.com', '--strict');
    const [args, env] = JSON.parse(readFileSync(`${program}.args`, 'utf8'));
    expect(args).toEqual(
      [
        'render',
        '--output',
        'yaml',
        '--report',
        'json',
        `--observed=${observed}`,
        '--strict=true',
        '--groups=a.example.com',
        '--on-pending=skip',
        '--',
        input,
      ].toSorted((a, b) => args.indexOf(a) - args.indexOf(b)),
    );
    expect(Object.keys(env).filter((name) => !['PATH', 'HOME', 'TMPDIR', 'SYSTEMROOT'].includes(name))).toEqual([]);
  });

  it('finds a version on the PATH, outside of the repository', async () => {
    const bin = join(folder, 'bin');
    mkdirSync(bin);
    release({ path: join(bin, 'render-rgd-0.0.9') });
    release({ path: join(bin, 'render-rgd-0.0.8') });
    vi.stubEnv('PATH', bin);
    expect((await compare('0.0.9')).code).toBe(0);
    expect((await compare('v0.0.9')).code).toBe(0);
    expect((await compare('0.0.8')).stderr).toContain('render-rgd-0.0.8 is render-rgd 0.0.9');
    const { code, stderr } = await compare('0.0.7');
    expect(code).toBe(2);
    expect(stderr).toContain('has a program render-rgd-0.0.7, and nothing is downloaded');
    expect(stderr).toContain('render-rgd@0.0.7');
  });

  it('starts a program of the repository only by its path', async () => {
    const program = release({ path: join(input, 'render-rgd-0.0.9') });
    vi.stubEnv('PATH', input);
    expect((await compare('0.0.9')).code).toBe(2);
    expect(existsSync(`${program}.args`)).toBe(false);
    expect((await compare(join(folder, 'nowhere'))).stderr).toContain('there is no program');
    expect((await compare(folder)).stderr).toContain('there is no program');
    expect((await compare(program, '--exclude', 'render-rgd-0.0.9*')).code).toBe(0);
  });

  it.each([
    ['--against', 'main'],
    ['--kro', '0.10'],
    ['--kubernetes', '1.33'],
    ['--instances', 'x'],
    ['--allow', 'type-changed=x'],
    ['--require', 'minor'],
    ['--require-label', 'v'],
    ['--conservative'],
    ['--holds-data', 'X.example.com'],
  ])('refuses %s', async (...option) => {
    const { code, stderr } = await compare('0.0.9', ...option);
    expect(code).toBe(2);
    expect(stderr).toContain(`--render-rgd and ${option[0]} compare different things`);
  });

  it('needs files', async () => {
    expect((await invoke(['compat', '--render-rgd', '0.0.9'])).stderr).toContain('needs a PATH');
    expect((await invoke(['compat', '-', '--render-rgd', '0.0.9'], 'a: b')).stderr).toContain('reads files');
  });
});
