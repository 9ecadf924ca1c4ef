import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { command, describeWith, execute, filesOf, type Result, sandbox } from './sandbox.ts';

describeWith('kpt', (kpt) => {
  let parent: string;
  let folder: string;
  beforeEach(() => {
    parent = join(sandbox(), 'kpt');
    folder = join(parent, 'package');
  });
  const render = (...args: string[]): Result =>
    execute(kpt, ['fn', 'render', '--allow-exec', ...args], { cwd: folder });
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  const edit = (name: string, change: (text: string) => string): void =>
    write(name, change(readFileSync(join(folder, name), 'utf8')));
  const files = (): Record<string, string> => filesOf(folder);

  it('renders the example as documented', () => {
    expect(render().code).toBe(0);
    expect(files()).toEqual(filesOf(join(parent, 'expected')));
  });

  it('finds the function on the PATH', () => {
    const bin = join(parent, 'bin');
    mkdirSync(bin);
    symlinkSync(command, join(bin, 'render-rgd'));
    edit('Kptfile', (text) => text.replace(/exec: .*render-rgd.js/, 'exec: render-rgd'));
    const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` };
    expect(execute(kpt, ['fn', 'render', '--allow-exec'], { cwd: folder, env }).code).toBe(0);
    expect(Object.keys(files())).toContain('queues/deployment_mail-workers.yaml');
  });

  it('changes nothing the second time', () => {
    render();
    const first = files();
    expect(render().code).toBe(0);
    expect(files()).toEqual(first);
  });

  it('removes the objects of a removed instance, and no other file', () => {
    render();
    const { 'mail.yaml': _instance, ...others } = files();
    rmSync(join(folder, 'mail.yaml'));
    const { code, stderr } = render();
    expect(code).toBe(0);
    const left = Object.entries(others).filter(([name]) => !/^queues\/.*_mail-/.test(name));
    expect(files()).toEqual(Object.fromEntries(left));
    expect(stderr).toContain('CronJob/mail-sweeper is no longer rendered');
  });

  it('writes changes of an instance into the existing files', () => {
    render();
    const before = Object.keys(files());
    edit('mail.yaml', (text) => text.replace('workers: 3', 'workers: 5'));
    render();
    expect(Object.keys(files())).toEqual(before);
    expect(files()['queues/deployment_mail-workers.yaml']).toContain('replicas: 5');
  });

  it('keeps writing to a file that a user moved an object to', () => {
    render();
    const moved = files()['queues/configmap_mail-settings.yaml'] as string;
    rmSync(join(folder, 'queues/configmap_mail-settings.yaml'));
    write('settings.yaml', moved);
    const before = files();
    expect(render().code).toBe(0);
    expect(files()).toEqual(before);
  });

  it('does not change an object that was copied from a cluster with its labels', () => {
    const copied = `apiVersion: v1
kind: ConfigMap
metadata:
  name: copied
  namespace: queues
  labels:
    app.kubernetes.io/managed-by: render-rgd
    kro.run/owned: "true"
    kro.run/instance-name: mail
    kro.run/node-id: settings
data:
  mine: "yes"
`;
    write('copied.yaml', copied);
    render();
    render();
    expect(files()['copied.yaml']).toBe(copied);
  });

  it('changes nothing if a selector passes only rendered objects', () => {
    render();
    edit(
      'Kptfile',
      (text) => `${text}      selectors:\n        - labels:\n            app.kubernetes.io/managed-by: render-rgd\n`,
    );
    const before = files();
    const { code, stderr } = render();
    expect({ code, files: files() }).toEqual({ code: 0, files: before });
    expect(stderr).toContain('[warning]');
    expect(stderr).toContain('without selectors');
  });

  it('removes nothing if a selector passes rendered objects and others', () => {
    write('other.yaml', 'apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: other\n');
    render();
    edit('Kptfile', (text) => `${text}      selectors:\n        - kind: Deployment\n`);
    const before = files();
    expect(render().code).toBe(0);
    expect(files()).toEqual(before);
  });

  it('contains the output of the command line, before and after a run', () => {
    const printed = (): string => execute(command, ['render', folder]).stdout;
    const before = printed();
    render();
    expect(printed()).toBe(before);
    expect(before).toContain('name: mail-workers');
  });

  it('keeps a live object beside the rendered object of its name', () => {
    write('live.yaml', LIVE);
    expect(render().code).toBe(0);
    const first = files();
    expect(first['live.yaml']).toContain('config.kubernetes.io/local-config: "true"');
    expect(Object.keys(first)).toContain('queues/deployment_mail-workers.yaml');
    expect(render().code).toBe(0);
    expect(files()).toEqual(first);
  });

  it('names the field of an invalid option, in a file and in the Kptfile', () => {
    edit('render.yaml', (text) => text.replace('strict: true', 'strict: "yes"\n  order: [kpt]'));
    const inFile = render();
    expect(inFile.code).toBe(1);
    expect(inFile.stderr).toContain('RenderRGD/render spec.strict: functionConfig: strict: must be true or false');
    expect(inFile.stderr).toContain('RenderRGD/render spec.order: functionConfig: order: must be a string');
    edit('Kptfile', (text) => text.replace('configPath: render.yaml', 'configMap:\n        strikt: "true"'));
    const inKptfile = render();
    expect(inKptfile.code).toBe(1);
    expect(inKptfile.stderr).toContain("data.strikt: functionConfig: unknown option 'strikt'");
  });

  it('reports collisions with earlier objects after a rename', () => {
    render();
    edit('render.yaml', (text) => text.replace('name: render', 'name: renamed'));
    const before = files();
    const { code, stderr } = render();
    expect({ code, files: files() }).toEqual({ code: 1, files: before });
    expect(stderr).toContain("a function named 'render' rendered objects here, this one is 'renamed'");
  });

  it('is checked by doctor', () => {
    expect(execute(command, ['doctor', folder]).code).toBe(1);
    render();
    const stdout = '6 objects checked, 5 of them rendered by render-rgd\n';
    expect(execute(command, ['doctor', folder])).toEqual({ code: 0, stdout, stderr: '' });
  });

  it('is stable behind a mutator that sets the namespace', () => {
    write('namespace.mjs', SET_NAMESPACE);
    chmodSync(join(folder, 'namespace.mjs'), 0o755);
    edit('Kptfile', (text) => text.replace('mutators:\n', 'mutators:\n    - exec: ./namespace.mjs\n'));
    expect(render().code).toBe(0);
    const first = files();
    expect(Object.keys(first)).toContain('elsewhere/deployment_mail-workers.yaml');
    expect(render().code).toBe(0);
    expect(files()).toEqual(first);
  });

  it('shows the object and the field of an invalid instance, and writes nothing', () => {
    edit('mail.yaml', (text) => text.replace('workers: 3', 'workers: -1'));
    const before = files();
    const { code, stderr } = render('--results-dir', join(parent, 'results'));
    expect(code).toBe(1);
    expect(stderr).toContain('[error] kro.run/v1alpha1/Queue/queues/mail spec.workers: ');
    expect(files()).toEqual(before);
    const results = filesOf(join(parent, 'results'))['results.yaml'];
    for (const field of ['severity: error', 'name: mail', 'path: spec.workers', 'path: mail.yaml', 'stage: instance']) {
      expect(results).toContain(field);
    }
  });
});

const LIVE = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: mail-workers
  namespace: queues
  annotations:
    render-rgd.dev/observed: "true"
status:
  readyReplicas: 3
`;

/** A replacement for the function set-namespace, which is an image. */
const SET_NAMESPACE = `#!/usr/bin/env node
import { readFileSync } from 'node:fs';
const text = readFileSync(0, 'utf8');
process.stdout.write(text.replaceAll(/^( +)namespace: queues$/gm, '$1namespace: elsewhere'));
`;
