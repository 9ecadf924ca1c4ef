import { describe, expect, it } from 'vitest';
import type { Workspace } from '../../src/language-server/workspace/workspace.ts';
import { Language } from './language.ts';

const RGDS = 12;
const INSTANCES = 4;

const rgd = (index: number, more = ''): string => `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: app${index}}
spec:
  schema:
    apiVersion: v1alpha1
    kind: App${index}
    spec: {name: string}
  resources:
    - id: config
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: "\${schema.spec.name}"}
        data: {value: "\${schema.spec.name}"}
${more}`;

const instance = (index: number, name: string): string =>
  `apiVersion: kro.run/v1alpha1\nkind: App${index}\nmetadata: {name: ${name}}\nspec: {name: ${name}}\n`;

const rgdUri = (index: number): string => `file:///w/app${index}/rgd.yaml`;
const instanceUri = (index: number, number: number): string => `file:///w/app${index}/instance${number}.yaml`;

/** Returns a workspace in which each RGD has its own kind and its own instances. */
function workspaceOf(language = new Language()): Workspace {
  const { workspace } = language;
  workspace.addRoot('file:///w');
  for (let index = 0; index < RGDS; index += 1) {
    workspace.setFile(rgdUri(index), rgd(index));
    for (let number = 0; number < INSTANCES; number += 1)
      workspace.setFile(instanceUri(index, number), instance(index, `app${index}-${number}`));
  }
  while (workspace.checkNext());
  return workspace;
}

/** Returns the number of documents that the check of a file validates again. */
const validatedFor = (workspace: Workspace, uri: string): number => workspace.current(uri)?.validated ?? -1;

describe('a change in a workspace', () => {
  it('validates the RGD and the instances that it can reach', () => {
    const workspace = workspaceOf();
    workspace.open(rgdUri(3), `${rgd(3)}# a comment\n`, 1);
    expect(validatedFor(workspace, rgdUri(3))).toBe(0);
    workspace.open(rgdUri(3), rgd(3).replace('value: "', 'value: "x'), 2);
    expect(validatedFor(workspace, rgdUri(3))).toBe(1 + INSTANCES);
    workspace.open(instanceUri(5, 0), instance(5, 'other'), 1);
    expect(validatedFor(workspace, rgdUri(5))).toBe(1 + INSTANCES);
  });

  it('validates the RGD whose kind a template gets too', () => {
    const workspace = workspaceOf();
    const nested = `    - id: nested
      template: {apiVersion: kro.run/v1alpha1, kind: App4, metadata: {name: "\${schema.spec.name}-n"}, spec: {name: x}}
`;
    workspace.open(rgdUri(3), rgd(3, nested), 1);
    // Both RGDs, and the instances of both.
    expect(validatedFor(workspace, rgdUri(3))).toBe(2 * (1 + INSTANCES));
    workspace.open(
      instanceUri(4, 0),
      instance(4, 'app4-0').replace('spec: {name: app4-0}', 'spec: {name: x, size: 3}'),
      1,
    );
    expect(workspace.current(rgdUri(4))?.diagnostics.map(({ code }) => code)).toContain('instance-unknown-field');
  });

  it('finds the objects of two RGDs that have one identity, and forgets them', () => {
    const language = new Language();
    const workspace = workspaceOf(language);
    const codesOf = (uri: string): unknown[] => {
      workspace.current(uri);
      return language.diagnostics(uri).map(({ code }) => code);
    };
    workspace.open(instanceUri(7, 1), instance(7, 'app2-2'), 1);
    expect(codesOf(rgdUri(7))).toContain('identity-collision');
    expect(validatedFor(workspace, rgdUri(7))).toBeGreaterThan(0);
    workspace.open(instanceUri(7, 1), instance(7, 'app7-1'), 2);
    expect(codesOf(rgdUri(7))).toEqual([]);
    expect(validatedFor(workspace, rgdUri(7))).toBeLessThan(RGDS);
  });

  it('reads a plain object that an external reference names, and validates its readers when it changes', () => {
    const workspace = workspaceOf();
    const reads = `    - id: settings
      externalRef: {apiVersion: v1, kind: ConfigMap, metadata: {name: settings}}
    - id: reader
      template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "\${schema.spec.name}-r"}, data: {x: "\${settings.data.x}"}}
`;
    const settings = 'file:///w/settings.yaml';
    const textOf = (value: string): string =>
      `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\ndata: {x: ${value}}\n`;
    workspace.open(rgdUri(1), rgd(1, reads), 1);
    const codes = (): string[] => workspace.current(rgdUri(1))?.diagnostics.map(({ code }) => code) ?? [];
    expect(codes()).toContain('pending-reference');
    workspace.open(settings, textOf('one'), 1);
    expect(codes()).not.toContain('pending-reference');
    workspace.open(settings, textOf('two'), 2);
    // The object, its readers without it, and with it.
    expect(validatedFor(workspace, settings)).toBeLessThanOrEqual(3 + 2 * INSTANCES);
    workspace.open(settings, textOf('two').replace('settings', 'others'), 3);
    expect(codes()).toContain('pending-reference');
  });

  it('answers a completion with the last check, and validates nothing', () => {
    const language = new Language();
    const workspace = workspaceOf(language);
    const before = workspace.known(rgdUri(2));
    const text = rgd(2).replace('"${schema.spec.name}"}\n        data', '"${schema.spec.}"}\n        data');
    workspace.open(rgdUri(2), text, 1);
    const line = text.split('\n').findIndex((one) => one.includes('schema.spec.}'));
    const character = (text.split('\n')[line] ?? '').indexOf('schema.spec.') + 'schema.spec.'.length;
    const items = language.completions(rgdUri(2), { line, character });
    expect(items.map(({ label }) => label)).toContain('name');
    expect(workspace.known(rgdUri(2))).toBe(before);
  });

  it('leaves the checks of a workspace as they are when a fork is checked', () => {
    const workspace = workspaceOf();
    const renamed = workspace.withTexts(new Map([[rgdUri(6), rgd(6).replace('value: "', 'value: "x')]]));
    expect(validatedFor(renamed, rgdUri(6))).toBe(1 + INSTANCES);
    expect(validatedFor(workspace, rgdUri(6))).toBe(RGDS * (1 + INSTANCES));
  });
});
