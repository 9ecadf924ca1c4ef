import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { command, describeWith, execute, filesOf, type Result, sandbox } from './sandbox.ts';

/** A folder with the ResourceSet, its provider and the RGD of the example. */
function packageFolder(...others: readonly (readonly [string, string])[]): string {
  const examples = sandbox();
  const folder = join(examples, 'package');
  mkdirSync(folder);
  cpSync(join(examples, 'resourceset/input'), folder, { recursive: true });
  for (const [name, text] of others) writeFileSync(join(folder, name), text);
  return folder;
}

describeWith('kpt', (kpt) => {
  let folder: string;
  const kptfile = `apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: teams
pipeline:
  mutators:
    - exec: ${command}
`;
  const foreign = 'apiVersion: v1\nkind: Service # kept as it is\nmetadata:\n  name: foreign\n';
  beforeEach(() => {
    folder = packageFolder(['Kptfile', kptfile], ['foreign.yaml', foreign]);
  });
  const render = (): Result => execute(kpt, ['fn', 'render', '--allow-exec'], { cwd: folder });

  it('a ResourceSet and an RGD in one package are rendered, and rendered again without a change', () => {
    expect(render().code).toBe(0);
    const first = filesOf(folder);
    expect(
      Object.values(first).filter((text) => text.includes('resourceset.fluxcd.controlplane.io/name: teams')).length,
    ).toBe(7);
    expect(Object.values(first).filter((text) => text.includes('kro.run/instance-kind: Website')).length).toBe(4);
    expect(render().code).toBe(0);
    expect(filesOf(folder)).toEqual(first);
  });

  it('the objects of a removed input are removed, and no other file changes', () => {
    render();
    const { 'teams.yaml': _, ...before } = filesOf(folder);
    const text = readFileSync(join(folder, 'teams.yaml'), 'utf8');
    writeFileSync(join(folder, 'teams.yaml'), text.replace('    - team: billing\n      hosts: [pay]\n', ''));
    const { code, stderr } = render();
    expect(code).toBe(0);
    expect(stderr).toContain('Namespace/team-billing is no longer rendered');
    const { 'teams.yaml': __, ...after } = filesOf(folder);
    const left = Object.entries(before).filter(([, one]) => !one.includes('team-billing'));
    expect(after).toEqual(Object.fromEntries(left));
    expect(after['foreign.yaml']).toBe(foreign);
  });

  it('the objects of a removed ResourceSet are removed', () => {
    render();
    rmSync(join(folder, 'teams.yaml'));
    expect(render().code).toBe(0);
    expect(Object.values(filesOf(folder)).join('')).not.toContain('resourceset.fluxcd.controlplane.io');
  });
});

describeWith('kustomize', (kustomize) => {
  const transformer = `apiVersion: fn.kpt.dev/v1alpha1
kind: RenderRGD
metadata:
  name: render
  annotations:
    config.kubernetes.io/function: |
      exec:
        path: ${command}
`;
  const kustomization = (...resources: string[]): string =>
    `resources: [${resources.join(', ')}]\ntransformers: [render.yaml]\n`;
  const sources = ['teams.yaml', 'guests.yaml', 'website.rgd.yaml'];
  let folder: string;
  beforeEach(() => {
    folder = packageFolder(['kustomization.yaml', kustomization(...sources)], ['render.yaml', transformer]);
  });
  const build = (): Result => execute(kustomize, ['build', '--enable-alpha-plugins', '--enable-exec', folder], {});

  it('the transformer renders a ResourceSet, and the RGD of its instances', () => {
    const { code, stdout } = build();
    expect(code).toBe(0);
    const kinds = stdout.match(/^kind: .*$/gm)?.sort();
    expect(kinds).toEqual([...Array(8).fill('kind: ConfigMap'), ...Array(3).fill('kind: Namespace')]);
    expect(stdout).toContain('contact: "42"');
  });

  it.each([
    ['alone', []],
    ['beside the ResourceSet, its provider and the RGD', sources],
  ])('rendered objects are a base that the function does not change, %s', (_, beside) => {
    const first = build();
    writeFileSync(join(folder, 'rendered.yaml'), first.stdout);
    writeFileSync(join(folder, 'kustomization.yaml'), kustomization('rendered.yaml', ...beside));
    expect(build()).toMatchObject({ code: 0, stdout: first.stdout });
  });
});
