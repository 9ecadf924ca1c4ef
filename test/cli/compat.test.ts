import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { invoke } from './invoke.ts';

const rgd = (spec: string, more = 'apiVersion: v1, kind: Site'): string => `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: { name: site }
spec:
  schema:
    ${more.replace(', ', '\n    ')}
    spec:
${spec
  .split('\n')
  .map((line) => `      ${line}`)
  .join('\n')}
  resources: []
`;
const instance = (name: string, spec: string): string =>
  `apiVersion: kro.run/v1\nkind: Site\nmetadata: { name: ${name} }\nspec: { ${spec} }\n`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'render-rgd-compat-'));
  mkdirSync(join(folder, 'apps'));
});
afterEach(() => rmSync(folder, { recursive: true }));
const path = (name: string): string => join(folder, name);
const compare = async (before: string, after: string, ...options: string[]) => {
  writeFileSync(path('old.yaml'), before);
  writeFileSync(path('new.yaml'), after);
  return invoke(['compat', path('old.yaml'), path('new.yaml'), ...options]);
};

describe('compat', () => {
  it('says that it compared nothing', async () => {
    const text = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\n';
    const none = await compare(text, text);
    expect(none.stdout).toContain('warning[nothing-to-read]: neither version has an RGD\n');
    writeFileSync(path('apps/a.yaml'), text);
    const upgrade = await invoke(['compat', path('apps'), '--kro', '0.10']);
    expect(upgrade.stdout).toContain('warning[nothing-to-read]: there is no RGD\n');
    const one = rgd('size: integer');
    const { stdout } = await compare(one, one, '--instances', path('apps'));
    expect(stdout).toContain('--instances is an instance of these RGDs\n');
    expect(stdout).toContain('1 warning');
    // The first RGD of a repository breaks nothing.
    expect((await compare(text, one)).stdout).toContain('nothing wrong');
  });

  it('finds no changes between a version and itself', async () => {
    const one = rgd('size: integer');
    expect(await compare(one, one)).toEqual({ code: 0, stdout: '1 object in 1 file: nothing wrong\n', stderr: '' });
  });

  it('reports the errors of both versions at once', async () => {
    const { code, stdout } = await compare(rgd('size: integger'), rgd('size: strng'));
    expect(code).toBe(1);
    expect(stdout).toContain('unknown type: integger');
    expect(stdout).toContain('unknown type: strng');
  });

  it('reports the change, its line, and the instances that it breaks', async () => {
    writeFileSync(
      path('apps/a.yaml'),
      `${instance('small', 'size: 3')}---\n${instance('large', 'size: 30')}---\n${instance('none', '')}`,
    );
    const { code, stdout } = await compare(
      rgd('size: integer'),
      rgd('size: integer | maximum=20'),
      '--instances',
      path('apps'),
    );
    expect(code).toBe(1);
    expect(stdout).toContain(
      `error[breaking-change] ResourceGraphDefinition/site: the maximum 20 was added (maximum-added); it breaks Site/large (${path('apps/a.yaml')})\n  --> ${path('new.yaml')}:9:13 spec.schema.spec.size\n`,
    );
    expect(stdout).not.toContain('Site/small');
  });

  it('shows what a newer version does to instances and their objects, dangers first', async () => {
    const claim = (name: string, size: string): string =>
      `  - id: claim\n    template:\n      apiVersion: v1\n      kind: PersistentVolumeClaim\n      metadata: { name: "${name}" }\n      spec: { storageClassName: ${size}, accessModes: [ReadWriteOnce] }\n`;
    const version = (spec: string, resources: string): string =>
      rgd(spec).replace('  resources: []\n', `  resources:\n${resources}`);
    writeFileSync(path('apps/a.yaml'), `${instance('one', 'size: 3')}---\n${instance('two', 'size: 30')}`);
    const site = (...more: string[]) =>
      compare(
        version('size: integer', claim('${schema.metadata.name}', 'slow')),
        version('size: integer | maximum=9\nmode: string | default=x', claim('${schema.metadata.name}', 'fast')),
        ...['--instances', path('apps'), '-n', 'web', ...more],
      );
    const { code, stdout } = await site();
    expect(code).toBe(1);
    expect(stdout.split('\n').slice(0, 4)).toEqual([
      expect.stringMatching(/^error +Site two +the newer version rejects the instance: .*9/),
      'danger  Site web/one  PersistentVolumeClaim web/one: spec.storageClassName cannot be changed in place, the object must be deleted and created again',
      expect.stringMatching(/^info +Site one +the default of spec\.mode applies: "x"$/),
      'info    Site web/one  changed PersistentVolumeClaim web/one (Site web/one, node claim): spec.storageClassName',
    ]);
    writeFileSync(path('apps/a.yaml'), instance('one', 'size: 3'));
    const moved = ['--instances', path('apps'), '--allow', 'maximum-added=it is meant'];
    const replaced = (...more: string[]) =>
      compare(
        version('size: integer', claim('x', 'slow')),
        version('size: integer', claim('y', 'slow')),
        ...moved,
        ...more,
      );
    const { code: calm, stdout: told } = await replaced();
    expect(calm).toBe(0);
    expect(told).toMatch(
      /^danger +Site one +PersistentVolumeClaim x is deleted: .*its data\nwarning +Site one +replaced PersistentVolumeClaim x by PersistentVolumeClaim y/,
    );
    expect((await replaced('--fail-on', 'danger')).code).toBe(1);
  });

  it.each([
    ['size: integer', 'title: string', 'size: 3', 'in Site/one remove spec.size'],
    ['size: integer', 'size: integer | maximum=2', 'size: 3', 'in Site/one set spec.size to 2 or less'],
    ['size: integer', 'size: string', 'size: 3', 'in Site/one write spec.size as "3"'],
    ['size: string', 'size: integer', 'size: "3"', 'in Site/one write spec.size as 3'],
    ['size: string', 'size: string\nowner: string | required=true', 'size: x', 'in Site/one add spec.owner, a string'],
    ['env: string | enum="a,b"', 'env: string | enum="b"', 'env: a', 'in Site/one set spec.env to "b"'],
    ['env: string | required=true default=a', 'env: string | required=true', '', 'in Site/one add spec.env: "a"'],
    ['l: "[]integer"', 'l: "[]integer | maxItems=1"', 'l: [1, 2]', 'in Site/one give spec.l at most 1 items'],
    ['t: string', 't: string | pattern="^a"', 't: b', 'in Site/one set spec.t to a text that matches ^a'],
  ])('suggests the edit of %j to %j', async (old, young, spec, fix) => {
    const { stdout } = await compare(`${rgd(old)}---\n${instance('one', spec)}`, rgd(young));
    expect(stdout).toContain(fix);
  });

  it('suggests no edit if there is none', async () => {
    const { stdout } = await compare(`${rgd('size: string')}---\n${instance('one', 'size: x')}`, rgd('size: integer'));
    expect(stdout).toContain('it breaks Site/one');
    expect(stdout).not.toContain('in Site/one');
  });

  it('accepts exceptions for a change of any field, or of one field and those below it', async () => {
    const [old, young] = [rgd('a: string\nb: {c: string}\nd: string'), rgd('d: string\nb: {e: string}')];
    const whole = await compare(old, young, '--allow', 'property-removed=nobody sets them');
    expect(whole.code).toBe(0);
    expect(whole.stdout).toContain('warning[breaking-change]');
    expect(whole.stdout).toContain('(property-removed), accepted: nobody sets them');
    const one = await compare(old, young, '--allow', 'property-removed:spec.b=unused');
    expect(one.code).toBe(1);
    expect(one.stdout).toMatch(/^error\[breaking-change\].*\n {2}--> \S+ spec\.schema\.spec\.a\n/m);
    expect(one.stdout).toContain('accepted: unused');
    expect((await compare(old, young, '--allow', '*=all of it')).code).toBe(0);
    expect((await compare(old, young, '--allow', 'type-changed=x')).code).toBe(1);
    expect((await compare(old, young, '--allow', 'property-removed')).code).toBe(2);
    const misspelt = await compare(old, young, '--allow', 'property-removd=x');
    expect(misspelt).toMatchObject({ code: 2, stderr: expect.stringContaining("did you mean 'property-removed'?") });
  });

  it('finds instances by fields in lists', async () => {
    writeFileSync(path('apps/a.yaml'), instance('one', 'ports: [1, 99999]'));
    const { stdout } = await compare(rgd('ports: "[]integer"'), rgd('ports: "[]string"'), '--instances', path('apps'));
    expect(stdout).toMatch(
      /: the type changed from integer to string \(type-changed\); it breaks Site\/one .*\n.* spec\.schema\.spec\.ports\.items\n/,
    );
  });

  it('names the users of a removed field', async () => {
    writeFileSync(path('apps/a.yaml'), `${instance('one', 'size: 3')}---\n${instance('two', 'title: x')}`);
    const { stdout } = await compare(
      rgd('size: integer\ntitle: string'),
      rgd('title: string'),
      '--instances',
      path('apps'),
    );
    expect(stdout).toMatch(
      /: the field was removed \(property-removed\); it breaks Site\/one .*\n.* spec\.schema\.spec\.size\n/,
    );
    expect(stdout).not.toContain('Site/two');
  });

  it.each([
    [
      'another version',
      rgd('a: string', 'apiVersion: v2, kind: Site'),
      "the version changed from 'v1' to 'v2' (version-changed); it breaks Site/one",
    ],
    [
      'another kind',
      rgd('a: string', 'apiVersion: v1, kind: Page'),
      'the kind changed from Site.kro.run to Page.kro.run (kind-changed); it breaks Site/one',
    ],
    [
      'another plural',
      rgd('a: string', 'apiVersion: v1, kind: Site\n    plural: sitez'),
      "the plural changed from 'sites' to 'sitez': the CRD sitez.kro.run would define the kind of sites.kro.run again (plural-changed); it breaks Site/one",
    ],
    [
      'another group',
      rgd('a: string', 'apiVersion: v1, kind: Site\n    group: example.com'),
      "the group changed from 'kro.run' to 'example.com' (group-changed); it breaks Site/one",
    ],
    [
      'another scope',
      rgd('a: string', 'apiVersion: v1, kind: Site\n    scope: Cluster'),
      'the scope changed from Namespaced to Cluster (scope-changed); it breaks Site/one',
    ],
    [
      'no RGD at all',
      'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\n',
      'no RGD defines Site.kro.run any more (kind-removed); it breaks Site/one',
    ],
  ])('reports %s', async (_, after, message) => {
    const { code, stdout } = await compare(`${rgd('a: string')}---\n${instance('one', '')}`, after);
    expect(code).toBe(1);
    expect(stdout).toContain(message);
  });

  it('reports another name, because the CRD belongs to the RGD that created it', async () => {
    const after = rgd('a: string').replace('name: site', 'name: page');
    const { code, stdout } = await compare(rgd('a: string'), after);
    expect(code).toBe(1);
    expect(stdout).toContain(
      `error[breaking-change] ResourceGraphDefinition/page: the name changed from 'site' to 'page', and the CRD belongs to the former (name-changed)\n  --> ${path('new.yaml')}:3:19 metadata.name\n`,
    );
  });

  const allowing = (text: string): string =>
    text.replace('name: site', 'name: site, annotations: { kro.run/allow-breaking-changes: "true" }');

  it('reports allowed changes as warnings', async () => {
    const { code, stdout } = await compare(rgd('a: string'), allowing(rgd('a: integer')));
    expect(code).toBe(0);
    expect(stdout).toContain(
      'warning[breaking-change] ResourceGraphDefinition/site: the type changed from string to integer (type-changed), which kro.run/allow-breaking-changes allows\n',
    );
    expect((await compare(rgd('a: string'), allowing(rgd('a: integer')), '--quiet')).stdout).not.toContain('warning');
  });

  it('does not allow changes of immutable fields', async () => {
    const after = allowing(rgd('a: string', 'apiVersion: v2, kind: Site'));
    expect((await compare(rgd('a: string'), after)).code).toBe(1);
    expect((await compare(rgd('a: string'), allowing(rgd('a: integer')).replace('"true"', '"yes"'))).code).toBe(1);
  });

  it('reports changed columns with --verbose', async () => {
    const columns = '\n    additionalPrinterColumns: [{ name: A, type: string, jsonPath: .spec.a }]';
    const after = rgd('a: string', `apiVersion: v1, kind: Site${columns}`);
    const { code, stdout } = await compare(rgd('a: string'), after, '--verbose');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^info\[compatible-change\].*\n {2}--> \S+ spec\.schema\.additionalPrinterColumns/m);
  });

  it('shows what --kro 0.10 changes, and with --against only what the commit does not have', async () => {
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: folder, encoding: 'utf8' });
    const node = (id: string): string =>
      `    - id: ${id}\n      includeWhen: ["\${schema.spec.?active}"]\n      template: { apiVersion: v1, kind: ConfigMap, metadata: { name: ${id} } }\n`;
    const nodes = (...ids: string[]): string =>
      `${rgd('active: boolean').replace('resources: []\n', `resources:\n${ids.map(node).join('')}`)}---\n${instance('one', '')}`;
    git('init', '-q');
    writeFileSync(path('apps/rgd.yaml'), nodes('first'));
    git('add', '.');
    git('commit', '-q', '-m', 'first');
    const upgrade = async (...args: string[]) => {
      const { code, stdout } = await invoke(['compat', path('apps'), '--kro', '0.10', ...args]);
      return [code, ...['first', 'second'].filter((id) => stdout.includes(id))];
    };
    expect(await upgrade()).toEqual([1, 'first']);
    expect(await upgrade('--against', 'HEAD')).toEqual([0]);
    writeFileSync(path('apps/rgd.yaml'), nodes('first', 'second'));
    expect(await upgrade('--against', 'HEAD')).toEqual([1, 'second']);
  });

  it('compares with a commit', async () => {
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: folder, encoding: 'utf8' });
    git('init', '-q');
    writeFileSync(path('apps/rgd.yaml'), `${rgd('a: string')}---\n${instance('one', 'a: x')}`);
    git('add', '.');
    git('commit', '-q', '-m', 'first');
    expect((await invoke(['compat', path('apps'), '--against', 'HEAD'])).code).toBe(0);
    writeFileSync(path('apps/rgd.yaml'), rgd('a: integer'));
    const { code, stdout } = await invoke(['compat', path('apps'), '--against', 'HEAD']);
    expect(code).toBe(1);
    expect(stdout).toContain(
      'the type changed from string to integer (type-changed); it breaks Site/one (HEAD:apps/rgd.yaml)\n',
    );
    expect(await invoke(['compat', path('apps'), '--against', 'none'])).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("'none' names no commit"),
    });
  });

  it('applies more rules with --conservative', async () => {
    const [before, after] = [rgd('a: string'), rgd('a: string | enum="x,y"')];
    expect((await compare(before, after)).code).toBe(0);
    const { code, stdout } = await compare(before, after, '--conservative');
    expect(code).toBe(1);
    expect(stdout).toContain(': only these values are allowed now: ["x","y"] (enum-added)');
  });

  it('reports other changes with --verbose', async () => {
    const { code, stdout } = await compare(rgd('a: string'), rgd('a: string\nb: string'), '--verbose');
    expect(code).toBe(0);
    expect(stdout).toContain(
      'info[compatible-change] ResourceGraphDefinition/site: the field was added (property-added)',
    );
  });

  it('writes reports', async () => {
    const { stdout } = await compare(
      rgd('a: string'),
      rgd('b: string'),
      '--report',
      'github',
      '--report',
      `sarif=${path('out.sarif')}`,
    );
    expect(stdout).toMatch(
      /^::error file=.*new\.yaml,line=\d+.*spec\.a: the field was removed \(property-removed\)\n$/,
    );
    expect(JSON.parse(readFileSync(path('out.sarif'), 'utf8')).runs[0].results).toHaveLength(1);
  });

  it('reports the errors of a version', async () => {
    const { code, stdout } = await compare(rgd('a: strin'), rgd('a: string'));
    expect(code).toBe(1);
    expect(stdout).toContain('error[unknown-type]');
  });

  it.each([
    [['a.yaml'], 2, 'compat needs OLD and NEW, or PATH... and --against REF'],
    [['a', 'b', 'c'], 2, 'compat needs OLD and NEW, or PATH... and --against REF'],
    [['-', '-'], 2, 'OLD and NEW are both -'],
  ])('rejects %j', async (args, code, fault) => {
    const result = await invoke(['compat', ...args]);
    expect(result).toMatchObject({ code, stdout: '' });
    expect(result.stderr).toContain(fault);
  });

  it('reads standard input', async () => {
    writeFileSync(path('new.yaml'), rgd('b: string'));
    const { code, stdout } = await invoke(['compat', '-', path('new.yaml')], rgd('a: string'));
    expect(code).toBe(1);
    expect(stdout).toContain(': the field was removed (property-removed)');
    expect((await invoke(['compat', '-', path('new.yaml')], '')).code).toBe(0);
  });
});
