import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { command, describeWith, execute, filesOf, type Result } from './sandbox.ts';

const RGD = `# about the RGD
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata:
  name: page # its name
spec:
  schema:
    apiVersion: v1alpha1
    kind: Page
    spec: {text: 'string | default="hi"'} # fields
  resources:
  # the first
  - id: text
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: "\${schema.metadata.name}"}
      data: {text: "\${schema.spec.text}"}
`;
const PAGES = `apiVersion: kro.run/v1alpha1
kind: Page
metadata: {name: one, namespace: web} # flow
spec: {}
# end of one
---
apiVersion: kro.run/v1alpha1
kind: Page
metadata:
  name: two
  namespace: web
  annotations:
    "mine": 'yes' # quoted
# between
spec:
  text: |
    # no comment
    text
`;
const USER = `# head
apiVersion: example.com/v1
kind: Chart
metadata:
  # its name
  name: mine
  namespace: web
spec:
  y: 2 # height
  on: 3
  answer: n
  mode: 0777
  version: 1.10
  big: 12345678901234567890
  at: 2026-01-02
  flow: {a: [1, 2.0], b: "c"} # flow
  text: >-
    folded
    text
  last: ~
`;
const KPTFILE = (exec: string, more = ''): string => `apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: pages
  annotations:
    config.kubernetes.io/local-config: "true"
pipeline:
  mutators:
    - exec: ${exec}
${more}`;
const EXCLUDE = `      exclude:
        - kind: ResourceGraphDefinition
        - kind: Page
`;
const MARKS =
  /^ +annotations:\n(?= +config\.kubernetes\.io\/local-config: "true"\n.*marked: local-config\n(?! {4}))|^ +(?:config\.kubernetes\.io\/local-config: "true"|render-rgd\.dev\/marked: local-config)\n|, annotations: \{config[^}]*\}/gm;

describeWith('kpt', (kpt) => {
  let home: string;
  let env: NodeJS.ProcessEnv;
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'render-rgd-items-'));
    symlinkSync(command, join(home, 'render-rgd'));
    writeFileSync(join(home, 'identity'), '#!/bin/sh\nexec cat\n');
    chmodSync(join(home, 'identity'), 0o755);
    env = { ...process.env, PATH: `${home}${delimiter}${process.env.PATH}` };
  });
  afterEach(() => rmSync(home, { recursive: true }));

  const folderOf = (name: string): string => join(home, name);
  function write(name: string, files: Record<string, string>): void {
    mkdirSync(folderOf(name), { recursive: true });
    for (const [file, text] of Object.entries(files)) writeFileSync(join(folderOf(name), file), text);
  }
  const render = (name: string): Result => execute(kpt, ['fn', 'render', '--allow-exec'], { cwd: folderOf(name), env });
  const files = { 'page.rgd.yaml': RGD, 'pages.yaml': PAGES, 'user.yaml': USER };

  it('writes files as a function without changes does, except for the marks', () => {
    write('ours', { ...files, Kptfile: KPTFILE('render-rgd') });
    write('theirs', { ...files, Kptfile: KPTFILE('identity') });
    expect(render('ours').code).toBe(0);
    expect(render('theirs').code).toBe(0);
    const [ours, theirs] = [filesOf(folderOf('ours')), filesOf(folderOf('theirs'))];
    expect(ours['user.yaml']).toBe(theirs['user.yaml']);
    for (const file of ['page.rgd.yaml', 'pages.yaml']) {
      expect(ours[file]).toMatch(/local-config/);
      expect(ours[file]?.replace(MARKS, '')).toBe(theirs[file]);
    }
    expect(render('ours').code).toBe(0);
    expect(filesOf(folderOf('ours'))).toEqual(ours);
  });

  it('does not change an object that was copied from another package, edited or not', () => {
    write('ours', { ...files, Kptfile: KPTFILE('render-rgd') });
    expect(render('ours').code).toBe(0);
    const copied = readFileSync(join(folderOf('ours'), 'web/configmap_one.yaml'), 'utf8');
    const pages = PAGES.replaceAll(/name: (one|two)/g, 'name: other-$1');
    for (const [name, text] of [
      ['copied', copied],
      ['edited', copied.replace('text: hi', 'text: mine')],
    ] as const) {
      const kptfile = KPTFILE('render-rgd').replace('name: pages', `name: ${name}`);
      write(name, { ...files, 'pages.yaml': pages, 'adopted.yaml': text, Kptfile: kptfile });
      const { code, stderr } = render(name);
      expect(code).toBe(0);
      expect(stderr).toContain('[warning] v1/ConfigMap/web/one: is no longer rendered, and stays');
      expect(filesOf(folderOf(name))['adopted.yaml']).toBe(text);
    }
  });

  it('removes nothing if the Kptfile hides the sources of objects', () => {
    write('ours', { ...files, Kptfile: KPTFILE('render-rgd') });
    expect(render('ours').code).toBe(0);
    write('ours', { Kptfile: KPTFILE('render-rgd', EXCLUDE) });
    const before = filesOf(folderOf('ours'));
    // Without an RGD, an object of an unknown kind may be an instance.
    const { code, stderr } = render('ours');
    expect({ code, files: filesOf(folderOf('ours')) }).toEqual({ code: 1, files: before });
    expect(stderr).toContain('[error] example.com/v1/Chart/web/mine kind: was neither checked nor rendered');
    const { 'user.yaml': _, ...others } = before;
    rmSync(join(folderOf('ours'), 'user.yaml'));
    expect(render('ours').code).toBe(0);
    expect(filesOf(folderOf('ours'))).toEqual(others);
  });

  it('recognises the objects of its package among those of a subpackage', () => {
    write('ours', { ...files, Kptfile: KPTFILE('render-rgd') });
    write('ours/sub', {
      Kptfile: KPTFILE('identity').replace('name: pages', 'name: sub'),
      'three.yaml': PAGES.split('---')[0]?.replace('name: one', 'name: three') ?? '',
    });
    write('ours/sub', { 'plain.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: plain\n' });
    // Its own function does not see the RGD, and its instance must not stay a plain object.
    write('ours/sub', { Kptfile: KPTFILE('render-rgd').replace('name: pages', 'name: sub') });
    const refused = render('ours');
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("the RGD 'page' in page.rgd.yaml defines it");
    write('ours/sub', { Kptfile: KPTFILE('identity').replace('name: pages', 'name: sub') });
    expect(render('ours').code).toBe(0);
    const first = filesOf(folderOf('ours'));
    expect(Object.keys(first)).toContain('web/configmap_three.yaml');
    expect(render('ours').code).toBe(0);
    expect(filesOf(folderOf('ours'))).toEqual(first);
    rmSync(join(folderOf('ours'), 'sub/three.yaml'));
    expect(render('ours').code).toBe(0);
    expect(Object.keys(filesOf(folderOf('ours')))).not.toContain('web/configmap_three.yaml');
  });
});
