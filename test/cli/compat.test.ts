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

/** Returns what follows the verdict about each RGD. */
function withoutVerdict(stdout: string): string {
  const lines = stdout.split('\n');
  const first = lines.findIndex((line) => !/^( {2}|(none|patch|minor|major|unknown): )/.test(line));
  return lines.slice(first).join('\n');
}

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
    const stdout = 'none: 1 unchanged RGD\n1 object in 1 file: nothing wrong\n';
    expect(await compare(one, one)).toEqual({ code: 0, stdout, stderr: '' });
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
    expect(withoutVerdict(stdout).split('\n').slice(0, 4)).toEqual([
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
    expect(withoutVerdict(told)).toMatch(
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
    // Nothing is rendered in kro 0.9, and a missing list is pending in kro 0.10.
    const node = (id: string): string =>
      `    - id: ${id}\n      forEach: [{ a: "\${[1].filter(x, x > 1)}" }, { b: "\${schema.spec.list}" }]\n      template: { apiVersion: v1, kind: ConfigMap, metadata: { name: "${id}-\${string(a)}-\${b}" } }\n`;
    const nodes = (...ids: string[]): string =>
      `${rgd('list: "[]string"').replace('resources: []\n', `resources:\n${ids.map(node).join('')}`)}---\n${instance('one', '')}`;
    git('init', '-q');
    writeFileSync(path('apps/rgd.yaml'), nodes('first'));
    git('add', '.');
    git('commit', '-q', '-m', 'first');
    const upgrade = async (...args: string[]) => {
      const { code, stdout } = await invoke(['compat', path('apps'), '--kro', '0.10', '-o', 'json', ...args]);
      // The verdict is about both together: the branch, and the release.
      const nodes = JSON.parse(stdout).diagnostics.map(({ node }: { node?: string }) => node);
      return [code, ...['first', 'second'].filter((id) => nodes.includes(id))];
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

  it('says that kro 0.9 does not write what it does not compare', async () => {
    const { code, stdout } = await compare(
      `${rgd('a: string')}---\n${instance('one', 'a: z')}`,
      rgd('a: string | enum="x,y"'),
    );
    expect(code).toBe(0);
    expect(stdout).toContain(
      'warning[unchecked-change] ResourceGraphDefinition/site: only these values are allowed now: ["x","y"] (enum-added), which kro 0.9 does not compare: the CRD keeps its schema until another change is written, and it is in force then without being refused; it breaks then Site/one',
    );
    expect(stdout).toContain('in Site/one set spec.a to one of "x", "y"; to have it written, change something');
    const rule = await compare(rgd('a: string'), rgd(`a: 'string | validation="self != \\"x\\""'`));
    expect(rule.stdout).toContain('warning[unchecked-change]');
    const wider = await compare(rgd('a: string | enum="x,y"'), rgd('a: string'));
    expect(wider.stdout).toContain('(enum-removed), which kro 0.9 does not compare');
  });

  it('says that another change brings it into force without a refusal', async () => {
    const after = rgd('a: string | enum="x,y" description="words"');
    const calm = await compare(rgd('a: string'), after);
    expect(calm.code).toBe(0);
    expect(calm.stdout).toContain(
      'warning[unchecked-change] ResourceGraphDefinition/site: only these values are allowed now: ["x","y"] (enum-added), which kro 0.9 does not compare: it is written in the same update, and not refused',
    );
    const broken = `${rgd('a: string')}---\n${instance('one', 'a: z')}`;
    const found = await compare(broken, after);
    expect(found.code).toBe(1);
    expect(found.stdout).toContain('error[unchecked-change]');
    expect(found.stdout).toContain('; it breaks Site/one');
    expect((await compare(broken, allowing(after))).code).toBe(0);
    expect((await compare(broken, after, '--allow', 'enum-added:spec.a=nobody is z')).code).toBe(0);
    // An API server writes this default otherwise than kro, which therefore writes the CRD each time.
    const always = (marker: string): string =>
      rgd(`a: string${marker}\nb: 'map[string]string | default={"z": "", "a": ""}'`);
    expect((await compare(always(''), always(' | enum="x,y"'))).stdout).toContain('it is written in the same update');
  });

  it('refuses what kro 0.10 compares by default', async () => {
    const [before, after] = [rgd('a: string'), rgd('a: string | enum="x,y"')];
    const paths = [path('old.yaml'), path('new.yaml')];
    writeFileSync(path('old.yaml'), before);
    writeFileSync(path('new.yaml'), after);
    const { code, stdout } = await invoke(['compat', ...paths, '--kro', '0.10']);
    expect(code).toBe(1);
    expect(stdout).toContain('error[breaking-change] ResourceGraphDefinition/site: only these values are allowed now');
    writeFileSync(path('new.yaml'), rgd(`a: 'string | validation="self != \\"x\\""'`));
    const rule = await invoke(['compat', ...paths, '--kro', '0.10']);
    expect(rule.code).toBe(0);
    expect(rule.stdout).toContain('compares only with the feature gate ConservativeCRDComparison');
    expect((await invoke(['compat', ...paths, '--kro', '0.10', '--conservative'])).code).toBe(1);
  });

  it('compares OLD and NEW with --kro 0.10, of which only NEW is under that release', async () => {
    const one = rgd('a: string').replace(
      'resources: []',
      'resources:\n    - { id: graphengine, template: { apiVersion: v1, kind: ConfigMap, metadata: { name: x } } }',
    );
    const other = one.replace('a: string', 'a: integer').replaceAll('graphengine', 'conf');
    const upgraded = async (before: string, after: string) => {
      writeFileSync(path('old.yaml'), before);
      writeFileSync(path('new.yaml'), after);
      return invoke(['compat', path('old.yaml'), path('new.yaml'), '--kro', '0.10']);
    };
    expect(await upgraded(rgd('a: string'), rgd('a: string'))).toMatchObject({
      code: 0,
      stdout: 'none: 1 unchanged RGD\n1 object in 1 file: nothing wrong\n',
    });
    const changed = await upgraded(one, other);
    expect(changed.code).toBe(1);
    expect(changed.stdout).toContain('the type changed from string to integer (type-changed)');
    expect(changed.stdout).not.toContain('graphengine');
    const kept = await upgraded(one, one);
    expect(kept.stdout).toContain(
      'error[upgrade-change] ResourceGraphDefinition/site node graphengine: kro 0.10: rejected',
    );
    expect(kept.stdout).toContain(': 1 error\n');
    // A folder of RGDs and one of their instances are a package; two with RGDs of other names are said to be one.
    const apart = await upgraded(rgd('a: string'), instance('one', 'a: x'));
    expect(apart).toMatchObject({ code: 0, stdout: '2 objects in 2 files: nothing wrong\n' });
    const renamed = rgd('a: string', 'apiVersion: v1, kind: Page').replace('name: site', 'name: page');
    const unclear = await upgraded(rgd('a: string'), renamed);
    expect(unclear.stdout).toContain('warning[nothing-to-read]: both paths have RGDs, and none in common');
  });

  const waiting = (spec: string, ip = '${svc.spec.clusterIP}'): string =>
    rgd(spec).replace(
      '  resources: []\n',
      `  resources:
    - { id: svc, template: { apiVersion: v1, kind: Service, metadata: { name: "\${schema.metadata.name}" }, spec: { ports: [{ port: 80 }] } } }
    - { id: conf, template: { apiVersion: v1, kind: ConfigMap, metadata: { name: "\${schema.metadata.name}" }, data: { ip: "${ip}" } } }
`,
    );
  const fleet = Array.from({ length: 26 }, (_, index) => instance(`s${index}`, 'a: x')).join('---\n');

  it('does not report what is pending in both versions as an error', async () => {
    writeFileSync(path('apps/a.yaml'), fleet);
    const given = ['--instances', path('apps'), '-n', 'web'];
    const same = await compare(waiting('a: string'), waiting('a: string'), ...given);
    expect(same.code).toBe(0);
    expect(
      same.stdout
        .trim()
        .split('\n')
        .map((line) => line.replace(/\s+/g, ' ')),
    ).toEqual([
      'none: 1 unchanged RGD',
      'info node conf of 26 instances is pending in both versions: it is compared as far as it is known',
      '1 object in 1 file: 26 pending values not compared',
    ]);
    // The instances are also those of both versions.
    const both = (spec: string): string => `${waiting(spec)}---\n${fleet}`;
    const defaulted = await compare(both('a: string'), both('a: string\nb: string | default=x'), ...given);
    expect(defaulted.code).toBe(0);
    expect(defaulted.stdout).not.toMatch(/^(?:error|warning)/m);
    expect(defaulted.stdout.match(/the default of spec\.b applies/g)).toHaveLength(26);
  });

  it('reports what only the newer version leaves pending or fails, and what cannot be compared', async () => {
    writeFileSync(path('apps/a.yaml'), `${instance('one', 'a: 0')}---\n${instance('two', 'a: 2')}`);
    const given = ['--instances', path('apps'), '-n', 'web'];
    const [plain, fails] = [waiting('a: integer', 'x'), waiting('a: integer', '${string(10 / schema.spec.a)}')];
    const pending = await compare(plain, waiting('a: integer'), ...given);
    expect(pending.code).toBe(0);
    expect(withoutVerdict(pending.stdout)).toMatch(
      /^warning +Site\/one +.*waits for spec\.clusterIP of Service web\/one/,
    );
    expect(pending.stdout).not.toContain('removed');
    expect(pending.stdout).toContain('1 object in 1 file: 2 warnings; 2 pending values not compared\n');
    const failing = await compare(plain, fails, ...given);
    expect(failing.code).toBe(1);
    expect(withoutVerdict(failing.stdout)).toMatch(
      /^error +Site\/one +.*division by zero\ninfo +Site web\/two +changed ConfigMap web\/two/,
    );
    expect(failing.stdout).toContain('1 object in 1 file: 1 error\n');
    const both = await compare(fails, fails, ...given);
    expect(both.code).toBe(0);
    expect(withoutVerdict(both.stdout)).toMatch(
      /^warning +Site\/one +its objects are not compared, because the older version cannot/,
    );
    writeFileSync(path('apps/a.yaml'), `${instance('one', 'a: text')}---\n${instance('two', 'a: 2')}`);
    const rejected = await compare(plain, plain, ...given, '--fail-on', 'unknown');
    expect(rejected.code).toBe(1);
    expect(withoutVerdict(rejected.stdout)).toMatch(
      /^warning +Site\/one +its objects are not compared, because the older version rejects it: /,
    );
    expect(rejected.stdout).toContain('1 not checked (Site.kro.run: not reached because of an error)');
    const invalid = await compare(plain, plain.replace('a: integer', 'a: integre'), ...given);
    expect(invalid.stdout).toContain('error[unknown-type]');
    expect(invalid.stdout).not.toContain('kind-removed');
  });

  it('reads live objects that the commit does not have yet', async () => {
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: folder, encoding: 'utf8' });
    git('init', '-q');
    writeFileSync(path('apps/rgd.yaml'), `${waiting('a: string')}---\n${instance('one', 'a: x')}`);
    git('add', '.');
    git('commit', '-q', '-m', 'first');
    mkdirSync(path('live'));
    writeFileSync(
      path('live/svc.yaml'),
      'apiVersion: v1\nkind: Service\nmetadata: { name: one, namespace: web }\nspec: { clusterIP: 10.0.0.1 }\n',
    );
    writeFileSync(path('apps/rgd.yaml'), `${waiting('a: string\nb: string')}---\n${instance('one', 'a: x')}`);
    const { code, stdout } = await invoke([
      ...['compat', path('apps'), '--against', 'HEAD', '--observed', path('live')],
      ...['--instances', path('apps'), '-n', 'web'],
    ]);
    expect([code, withoutVerdict(stdout)]).toEqual([0, '2 objects in 1 file: nothing wrong\n']);
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
