import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { invoke } from './invoke.ts';

const examples = fileURLToPath(new URL('../../examples', import.meta.url));
const RGD = `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: { name: site }
spec:
  schema: { apiVersion: v1, kind: Site, spec: { size: integer } }
  resources:
    - id: settings
      template: { apiVersion: v1, kind: ConfigMap, metadata: { name: c }, data: { a: "\${string(schema.spec.size)}" } }
`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'render-rgd-test-'));
  mkdirSync(join(folder, 'blog'));
  file('rgd.yaml', RGD);
  file('blog/test.yaml', 'definitions: [../rgd.yaml]\n');
  file('blog/blog.yaml', 'apiVersion: kro.run/v1\nkind: Site\nmetadata: { name: blog }\nspec: { size: 3 }\n');
});
afterEach(() => rmSync(folder, { recursive: true }));
const file = (name: string, text: string): void => writeFileSync(join(folder, name), text);
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');

describe('the test command', () => {
  it('passes with all examples', async () => {
    const { code, stdout } = await invoke(['test', join(examples, 'tests'), '--quiet']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '12 passed\n' });
  });

  it('writes the expected output, and passes then', async () => {
    const first = await invoke(['test', folder]);
    expect(first.code).toBe(1);
    expect(first.stdout).toContain('nothing is expected: there is no expected.yaml, which --update writes');
    expect((await invoke(['test', folder, '--update'])).stdout).toBe(
      `updated ${join(folder, 'blog')}\n0 passed, 1 updated\n`,
    );
    expect(read('blog/expected.yaml')).toContain('a: "3"');
    expect(await invoke(['test', folder])).toEqual({
      code: 0,
      stdout: `ok ${join(folder, 'blog')}\n1 passed\n`,
      stderr: '',
    });
  });

  it('fails if a file cannot be read, whatever is expected, and updates nothing', async () => {
    await invoke(['test', folder, '--update']);
    const expected = read('blog/expected.yaml');
    writeFileSync(join(folder, 'blog/more.yaml'), Buffer.from('# caf\u00e9\n', 'latin1'));
    file('blog/expected-diagnostics.yaml', '- code: unreadable-file\n');
    const { code, stdout } = await invoke(['test', folder]);
    expect(code).toBe(1);
    expect(stdout).toContain('more.yaml: it is not UTF-8 text');
    expect((await invoke(['test', folder, '--update'])).code).toBe(1);
    expect(read('blog/expected.yaml')).toBe(expected);
  });

  it('fails if what is expected cannot be read', async () => {
    await invoke(['test', folder, '--update']);
    symlinkSync('nowhere', join(folder, 'blog/expected-diagnostics.yaml'));
    const { code, stdout } = await invoke(['test', folder]);
    expect(code).toBe(1);
    expect(stdout).toContain('expected-diagnostics.yaml: it cannot be read');
    rmSync(join(folder, 'blog/expected-diagnostics.yaml'));
    symlinkSync('nowhere', join(folder, 'blog/observed.yaml'));
    expect((await invoke(['test', folder])).stdout).toContain('observed.yaml: no such file or directory');
  });

  it('compares the rest beside a document that is not valid', async () => {
    await invoke(['test', folder, '--update']);
    file('blog/more.yaml', 'a: [\n');
    const { code, stdout } = await invoke(['test', folder]);
    expect(code).toBe(1);
    expect(stdout).toContain('error[yaml-syntax]');
    expect(stdout).not.toContain('removed');
  });

  it('names tests and files that it does not look at, and fails for them on request', async () => {
    await invoke(['test', folder, '--update']);
    expect((await invoke(['test', folder, '--fail-on', 'unknown'])).code).toBe(0);
    cpSync(join(folder, 'blog'), join(folder, '.blog'), { recursive: true });
    file('blog/other.yaml.bak', read('blog/blog.yaml'));
    file('blog/pointer.yaml', 'version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 1\n');
    const { code, stdout } = await invoke(['test', folder]);
    expect(code).toBe(0);
    const lines = stdout.replaceAll(`${folder}/`, '').split('\n');
    expect(lines.filter((line) => line.startsWith('not tested:'))).toEqual([
      'not tested: blog/other.yaml.bak (its name does not end in .yaml, .yml or .json)',
      'not tested: blog/pointer.yaml (not in the working tree)',
      'not tested: .blog (hidden)',
    ]);
    expect((await invoke(['test', folder, '--fail-on', 'unknown'])).code).toBe(1);
  });

  it('reads defaults, inputs and an OpenAPI document from files of the options, which are no input', async () => {
    file('blog/blog.yaml', 'apiVersion: kro.run/v1\nkind: Site\nmetadata: { name: blog }\nspec: {}\n');
    file('blog/test.yaml', 'definitions: [../rgd.yaml]\ndefaults: production.yaml\n');
    file('blog/production.yaml', 'apiVersion: kro.run/v1\nkind: Site\nspec: { size: 7 }\n');
    expect((await invoke(['test', folder, '--update'])).code).toBe(0);
    expect(read('blog/expected.yaml')).toContain('a: "7"');
    file('blog/test.yaml', 'definitions: [../rgd.yaml]\ndefaults: missing.yaml\n');
    expect((await invoke(['test', folder])).code).toBe(1);

    rmSync(join(folder, 'blog'), { recursive: true });
    mkdirSync(join(folder, 'set'));
    file('set/test.yaml', 'inputsFrom: inputs.yaml\n');
    file('set/inputs.yaml', '- { name: one }\n- { name: two }\n');
    const objects = '[{ apiVersion: v1, kind: ConfigMap, metadata: { name: << inputs.name >> } }]';
    file(
      'set/set.yaml',
      `apiVersion: fluxcd.controlplane.io/v1\nkind: ResourceSet\nmetadata: { name: s, namespace: n }\nspec: { resources: ${objects} }\n`,
    );
    expect((await invoke(['test', folder, '--update'])).stderr).toBe('');
    expect(read('set/expected.yaml').match(/name: (one|two)/g)).toHaveLength(2);
  });

  it('prints differences', async () => {
    await invoke(['test', folder, '--update']);
    file('rgd.yaml', RGD.replace('string(', "'size ' + string("));
    const { code, stdout } = await invoke(['test', folder]);
    expect(code).toBe(1);
    expect(stdout).toContain('FAILED');
    expect(stdout).toContain('@@ data.a @@');
    expect(stdout).toMatch(/^ +-a: "3"$/m);
    expect(stdout).toMatch(/^ +\+a: size 3$/m);
    expect(stdout).toContain('0 passed, 1 failed\n');
  });

  it('expects diagnostics, independent of lines', async () => {
    file('blog/blog.yaml', 'apiVersion: kro.run/v1\nkind: Site\nmetadata: { name: blog }\nspec: { size: x }\n');
    await invoke(['test', folder, '--update']);
    expect(existsSync(join(folder, 'blog/expected.yaml'))).toBe(false);
    expect(read('blog/expected-diagnostics.yaml')).toBe(
      '- severity: error\n  code: instance-type\n  object: "Site/blog"\n  field: "spec.size"\n',
    );
    file('blog/blog.yaml', `# a line more\n${read('blog/blog.yaml')}`);
    expect((await invoke(['test', folder])).code).toBe(0);
    file('blog/expected-diagnostics.yaml', '- { code: instance-type, file: blog.yaml, line: 5 }\n');
    expect((await invoke(['test', folder])).code).toBe(0);
    file('blog/expected-diagnostics.yaml', '- { code: instance-type, line: 4 }\n');
    const { code, stdout } = await invoke(['test', folder]);
    expect(code).toBe(1);
    expect(stdout).toContain('not expected:');
    expect(stdout).toContain('expected, but not reported:\n    code: instance-type, line: 4\n');
  });

  it.each([
    ['definition: [a]\n', "there is no 'definition' in a test; did you mean 'definitions'?"],
    ['input: a.yaml\n', 'input must be a list of paths'],
    ['strict: maybe\n', 'strict: must be true or false'],
    ['- a\n', 'it must hold a map of options, or nothing'],
    ['a: [\n', 'test.yaml:'],
    ['output: json\n', "there is no 'output' in a test"],
  ])('reports the error in the test.yaml %j', async (text, fault) => {
    file('blog/test.yaml', text);
    const { code, stdout } = await invoke(['test', folder]);
    expect(code).toBe(1);
    expect(stdout).toContain(fault);
    expect((await invoke(['test', folder, '--update'])).code).toBe(1);
  });

  it('writes reports of failures', async () => {
    const report = join(folder, 'junit.xml');
    const { stdout } = await invoke(['test', folder, '--report', `junit=${report}`, '--report', 'json']);
    expect(JSON.parse(stdout)).toMatchObject([{ code: 'test-broken', file: join(folder, 'blog/test.yaml') }]);
    expect(read('junit.xml')).toContain('<testsuites name="render-rgd test" tests="1" failures="1"');
  });

  const commented = `# why
apiVersion: v1
kind: ConfigMap
data: # the point
  a: "3" # three
metadata:
  labels: LABELS
  name: c
`;
  const withComments = async (): Promise<void> => {
    await invoke(['test', folder, '--update']);
    const labels = /labels:\n((?: {4}.*\n)+)/.exec(read('blog/expected.yaml'))?.[1] ?? '';
    file('blog/expected.yaml', commented.replace(' LABELS', `\n${labels.trimEnd()}`));
    expect((await invoke(['test', folder])).code).toBe(0);
  };

  it('keeps comments and order in updates', async () => {
    await withComments();
    const before = read('blog/expected.yaml');
    file('rgd.yaml', RGD.replace('string(schema.spec.size)}"', 'string(schema.spec.size + 1)}", b: "x"'));
    expect((await invoke(['test', folder, '--update'])).code).toBe(0);
    expect(read('blog/expected.yaml')).toBe(before.replace('a: "3" # three\n', 'a: "4" # three\n  b: x\n'));
    expect((await invoke(['test', folder])).code).toBe(0);
  });

  it('reports the line of the object that differs', async () => {
    await withComments();
    file(
      'blog/expected.yaml',
      `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: z}\n---\n${read('blog/expected.yaml')}`,
    );
    file(
      'blog/expected.yaml',
      read('blog/expected.yaml')
        .replace('"3"', '"4"')
        .replace(/^[\s\S]*?---\n/, ''),
    );
    file('blog/expected.yaml', `# a comment\n\n${read('blog/expected.yaml')}`);
    const report = join(folder, 'junit.xml');
    const { stdout } = await invoke(['test', folder, '--report', 'json', '--report', `junit=${report}`]);
    expect(JSON.parse(stdout)).toMatchObject([
      { code: 'test-failed', file: join(folder, 'blog/expected.yaml'), line: 4 },
    ]);
    expect(read('junit.xml')).toMatch(/message="changed ConfigMap c /);
  });

  it('expects parts of objects', async () => {
    const test = (value: string, more = '') =>
      file(
        'blog/test.yaml',
        `definitions: [../rgd.yaml]\nexpected:\n  - {apiVersion: v1, kind: ConfigMap, metadata: {name: c}, data: {a: ${value}${more}}}\n`,
      );
    test('"3"');
    expect((await invoke(['test', folder])).code).toBe(0);
    test('"4"');
    const failed = await invoke(['test', folder]);
    expect(failed.code).toBe(1);
    expect(failed.stdout).toContain('@@ data.a @@\n    -a: "4"\n    +a: "3"\n');
    test('"3"', ', b: null');
    expect((await invoke(['test', folder])).code).toBe(0);
    test('null');
    expect((await invoke(['test', folder])).stdout).toContain('+a: "3"');
    file('blog/test.yaml', 'definitions: [../rgd.yaml]\nexpected: [{kind: ConfigMap}]\n');
    expect((await invoke(['test', folder])).stdout).toContain(
      'each item of expected needs apiVersion, kind and metadata.name',
    );
  });

  it('hides values of Secrets in parts of objects, wherever an item of a list ends up', async () => {
    const nodes = `    - id: s
      template: { apiVersion: v1, kind: Secret, metadata: { name: s }, stringData: { p: hunter2 } }
    - id: pod
      template:
        apiVersion: v1
        kind: Pod
        metadata: { name: p }
        spec: { containers: [{ name: a, image: a, env: [{ name: A, value: x }, { name: P, value: "\${s.stringData.p}" }] }] }
`;
    file('rgd.yaml', RGD.replace(/ {4}- id[\s\S]*/, nodes));
    const part =
      '{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers: [{name: a, env: [{name: P, value: hunter3}]}]}}';
    const secret = '{apiVersion: v1, kind: Secret, metadata: {name: s}, stringData: {p: hunter3}}';
    file('blog/test.yaml', `definitions: [../rgd.yaml]\nexpected: [${part}, ${secret}]\n`);
    const { code, stdout } = await invoke(['test', folder]);
    expect(code).toBe(1);
    expect(stdout).toContain('@@ spec.containers[a].env[P].value @@');
    expect(stdout).toContain('(hidden, after)');
    expect(stdout).not.toMatch(/hunter/);
  });

  it('runs the tests that --filter matches', async () => {
    cpSync(join(folder, 'blog'), join(folder, 'shop'), { recursive: true });
    await invoke(['test', folder, '--update']);
    expect((await invoke(['test', folder])).stdout).toContain('2 passed\n');
    expect((await invoke(['test', folder, '--filter', 'shop'])).stdout).toBe(`ok ${join(folder, 'shop')}\n1 passed\n`);
    expect(await invoke(['test', folder, '--filter', 'nothing'])).toMatchObject({
      code: 1,
      stderr: 'error[not-found]: --filter: no test has nothing in its path\n',
    });
  });

  it('fails below --coverage-min', async () => {
    file('rgd.yaml', RGD.replace('      template:', '      includeWhen: ["${schema.spec.size > 1}"]\n      template:'));
    await invoke(['test', folder, '--update']);
    expect((await invoke(['test', folder, '--coverage-min', '50'])).code).toBe(0);
    expect(await invoke(['test', folder, '--coverage-min', '90'])).toMatchObject({
      code: 1,
      stderr: 'error[coverage-low]: --coverage-min: the tests reach 66%, less than 90%\n',
    });
  });

  it('prints coverage', async () => {
    await invoke(['test', folder, '--update']);
    const lcov = join(folder, 'lcov.info');
    const { code, stdout } = await invoke(['test', folder, '--coverage', '--coverage-report', `lcov=${lcov}`]);
    expect(code).toBe(0);
    expect(stdout).toContain('1/1         0/0    0/0   0/0  100%');
    expect(read('lcov.info')).toContain(`SF:${join(folder, 'rgd.yaml')}`);
  });

  it.each([
    [['no-such-folder'], 1, 'no-such-folder: no such file or directory'],
    [[], 2, 'test needs a DIR'],
    [['x', '--coverage-report', 'xml=a'], 2, 'is not of the form text=FILE, json=FILE or lcov=FILE'],
    [['x', '--on-pending', 'skip'], 2, 'unknown option --on-pending'],
  ])('rejects %j', async (args, code, fault) => {
    const result = await invoke(['test', ...args]);
    expect(result).toMatchObject({ code, stdout: '' });
    expect(result.stderr).toContain(fault);
  });

  it('rejects a folder without tests', async () => {
    rmSync(join(folder, 'blog'), { recursive: true });
    const { code, stderr } = await invoke(['test', folder]);
    expect(code).toBe(1);
    expect(stderr).toContain('has no tests: a test is a folder with a test.yaml');
  });

  it('takes absolute paths', async () => {
    file('blog/test.yaml', `definitions: [${join(folder, 'rgd.yaml')}]\n`);
    expect((await invoke(['test', folder, '--update'])).stdout).toContain('1 updated');
    expect(read('blog/expected.yaml')).toContain('a: "3"');
  });

  it('does not rewrite passing tests', async () => {
    cpSync(join(examples, 'tests/queue-idle'), join(folder, 'examples/tests/queue-idle'), { recursive: true });
    cpSync(join(examples, 'kpt'), join(folder, 'examples/kpt'), { recursive: true });
    const before = read('examples/tests/queue-idle/expected.yaml');
    await invoke(['test', join(folder, 'examples/tests'), '--update']);
    expect(read('examples/tests/queue-idle/expected.yaml')).toBe(before);
  });
});
