import { describe, expect, it } from 'vitest';
import { note, noteRgd } from '../resourcelist/packages.ts';
import { workingCopy } from './working-copy.ts';

const copy = workingCopy();
const secret = '{apiVersion: v1, kind: Secret, metadata: {name: plain}}';
const set = '{apiVersion: fluxcd.controlplane.io/v1, kind: ResourceSet, metadata: {name: a}}';
const bookRgd = noteRgd.replace(
  'apiVersion: v1alpha1\n    kind: Note',
  'group: books.example\n    apiVersion: v1\n    kind: Book',
);
const book = '{apiVersion: books.example/v1, kind: Book, metadata: {name: b}}';
const parameters = (...given: object[]): Readonly<Record<string, string>> => ({
  ARGOCD_APP_PARAMETERS: JSON.stringify(given),
});

describe('plugin discover prints output for', () => {
  it.each<[string, Record<string, string>]>([
    ['an RGD', { 'a.yaml': noteRgd }],
    ['a ResourceSet', { 'a.yaml': `${secret}\n---\n${set}` }],
    ['a ResourceSet in a file that does not parse', { 'a.yaml': `${set}\n---\nkind: ResourceSet\na: [` }],
    ['an instance of group kro.run', { 'sub/a.yml': note('a') }],
    ['one in a list', { 'a.yaml': `apiVersion: v1\nkind: List\nitems: [{apiVersion: kro.run/v1alpha1, kind: Note}]` }],
    ['one in JSON', { 'a.json': '{"apiVersion": "kro.run/v1alpha1", "kind": "Note"}' }],
    ['one behind others', { 'a.yaml': `${secret}\n---\n${secret}\n---${note('a')}` }],
    ['one in a file that does not parse, so that generate says why', { 'a.yaml': `${note('a')}  - [` }],
    ['broken JSON too', { 'a.json': '{"apiVersion": "kro.run/v1alpha1", "kind": ' }],
  ])('%s', async (_, files) => {
    copy.write(Object.fromEntries(Object.entries(files).map(([name, text]) => [`app/${name}`, text])));
    const { code, stdout, stderr } = await copy.call('discover');
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: `${Object.keys(files)[0]}\n`, stderr: '' });
  });

  it('an instance of another group whose RGD is where definitions say', async () => {
    copy.write({ 'platform/rgd.yaml': bookRgd, 'app/book.yaml': book });
    const definitions = { name: 'definitions', array: ['../platform'] };
    expect((await copy.call('discover', { variables: parameters(definitions) })).stdout).toBe('book.yaml\n');
    expect((await copy.call('discover')).stdout).toBe('');
  });

  it('a build that the Application requests', async () => {
    const asked = parameters({ name: 'build', string: 'kustomize' });
    expect((await copy.call('discover', { variables: asked })).stdout).toBe('build: kustomize\n');
    const auto = parameters({ name: 'build', string: 'auto' });
    expect((await copy.call('discover', { variables: auto })).stdout).toBe('');
    copy.write({ 'app/kustomization.yaml': '{}' });
    expect((await copy.call('discover', { variables: auto })).stdout).toBe('build: kustomize\n');
    expect((await copy.call('discover', { flags: ['--build', 'auto'] })).stdout).toBe('build: kustomize\n');
  });

  it('a folder with objects, even if the parameters are invalid', async () => {
    copy.write({ 'app/a.yaml': noteRgd });
    const wrong = parameters({ name: 'strikt', string: 'true' }, { name: 'definitions', array: ['/etc'] });
    expect(await copy.call('discover', { variables: wrong })).toEqual({ code: 0, stdout: 'a.yaml\n', stderr: '' });
  });

  it.each<[string, object]>([
    ['has no option', { name: 'definition', array: ['../platform'] }],
    ['has the wrong type', { name: 'definitions', string: '../platform' }],
    ['has no value', { name: 'definitions' }],
    ['has another value', { name: 'build', string: 'kustomise' }],
    ['is outside the repository', { name: 'definitions', array: ['../../outside'] }],
    ['leads nowhere', { name: 'definitions', array: ['../platfrom'] }],
    ['leads to what does not parse', { name: 'definitions', array: ['../broken'] }],
    ['leads to no live object', { name: 'observed', array: ['missing.yaml'] }],
    ['leads to no OpenAPI document', { name: 'openapi', string: '../platform/rgd.yaml' }],
    ['needs another one', { name: 'onPending', string: 'skip' }],
  ])('a folder without objects if a parameter %s, so that generate reports it', async (_, parameter) => {
    const files = { 'platform/rgd.yaml': bookRgd, 'broken/rgd.yaml': 'a: [', 'app/plain.yaml': secret };
    copy.write({ ...files, '../outside/rgd.yaml': bookRgd });
    const variables = parameters(parameter);
    const { code, stdout } = await copy.call('discover', { variables });
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'a parameter is wrong: see generate\n' });
    expect((await copy.call('generate', { variables })).code).toBe(1);
  });

  it('a folder without objects if flags of plugin.yaml are invalid, but only with parameters of the Application', async () => {
    copy.write({ 'app/a.yaml': noteRgd });
    expect((await copy.call('discover', { flags: ['--strct'] })).stdout).toBe('a.yaml\n');
    copy.write({ 'app/a.yaml': secret });
    expect((await copy.call('discover', { flags: ['--strct'] })).stdout).toBe('');
    expect((await copy.call('discover', { flags: ['--definitions', '/no/such'] })).stdout).toBe('');
    expect((await copy.call('discover', { variables: { ARGOCD_APP_PARAMETERS: 'null' } })).stdout).toBe('');
  });
});

describe('plugin discover prints nothing for', () => {
  it.each<[string, Record<string, string>]>([
    ['an empty folder', {}],
    ['other objects', { 'a.yaml': secret, 'b.yaml': book }],
    [
      'a mention',
      { 'a.yaml': `# apiVersion: kro.run/v1alpha1\n${secret.replace('}}', ', labels: {kro.run/owned: "true"}}}')}` },
    ],
    [
      'an RGD inside a text',
      { 'a.yaml': `apiVersion: v1\nkind: ConfigMap\ndata:\n  a: |${noteRgd.replace(/^/gm, '    ')}` },
    ],
    ['a chart that mentions a label', { 'a.yaml': '{{ if x }}\nlabels: {kro.run/owned: "true"}\n{{ end }}' }],
    ['files that do not parse', { 'a.yaml': 'a: [', 'b.json': '{' }],
    ['a folder for kustomize', { 'kustomization.yaml': 'resources: [a.yaml]', 'a.yaml': `${noteRgd}---${note('a')}` }],
    ['a chart', { 'Chart.yaml': 'name: a', 'a.yaml': `${noteRgd}---${note('a')}` }],
    ['hidden files', { '.github/a.yaml': noteRgd }],
  ])('%s', async (_, files) => {
    copy.write(Object.fromEntries(Object.entries(files).map(([name, text]) => [`app/${name}`, text])));
    expect(await copy.call('discover')).toEqual({ code: 0, stdout: '', stderr: '' });
  });
});

describe('plugin parameters', () => {
  it('announces the objects that it found', async () => {
    copy.write({ 'platform/rgd.yaml': bookRgd, 'app/rgd.yaml': noteRgd, 'app/a.yaml': `${note('a')}---\n${book}` });
    const variables = parameters({ name: 'definitions', array: ['../platform'] });
    const { code, stdout } = await copy.call('parameters', { variables });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject([
      { name: 'foundDefinitions', collectionType: 'array', array: ['note: Note.kro.run', 'note: Book.books.example'] },
      { name: 'foundInstances', collectionType: 'array', array: ['Note/a', 'Book/b'] },
    ]);
  });

  it('prints an array if nothing can be read', async () => {
    copy.write({ 'app/rgd.yaml': 'a: [' });
    const { code, stdout, stderr } = await copy.call('parameters', { variables: { ARGOCD_APP_PARAMETERS: '{' } });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject([{ array: [] }, { array: [] }]);
  });
});
