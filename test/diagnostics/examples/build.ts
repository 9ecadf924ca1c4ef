import { type Code, codes } from '../../../src/diagnostics/codes.ts';
import type { Severity } from '../../../src/diagnostics/diagnostic.ts';
import { type Options, type PlainObject, render } from '../../../src/index.ts';
import { getAt, type ValueMap } from '../../../src/model/value.ts';
import { listOf, runFunction } from '../../resourcelist/packages.ts';
import { invoke } from '../../shells/invoke.ts';

/** What an example checks of a diagnostic. */
export interface Found {
  severity: string;
  code: string;
  stage: string;
  message: string;
  hint?: string | undefined;
}

/** The smallest input that a code is reported for. */
export interface Example {
  find: () => readonly Found[] | Promise<readonly Found[]>;
  /** 'error' where nothing is said. */
  severity?: Severity;
  /** A part of the hint. */
  hint?: string;
}

type Json = object | string | number | boolean | null;

/** An RGD of kind X. */
export function rgd(schema: object, resources: readonly Json[] = [], metadata: object = {}): PlainObject {
  return {
    apiVersion: 'kro.run/v1alpha1',
    kind: 'ResourceGraphDefinition',
    metadata: { name: 'x', ...metadata },
    spec: { schema: { apiVersion: 'v1alpha1', kind: 'X', ...schema }, resources },
  } as PlainObject;
}

/** An instance of X. */
export const x = (spec: object = {}, metadata: object = { namespace: 'n' }): PlainObject =>
  ({ apiVersion: 'kro.run/v1alpha1', kind: 'X', metadata: { name: 'i', ...metadata }, spec }) as PlainObject;

export const object = (apiVersion: string, kind: string, metadata: object, rest: object = {}): PlainObject =>
  ({ apiVersion, kind, metadata, ...rest }) as PlainObject;

/** A node that makes a ConfigMap of its own name. */
export const configMap = (id: string, data: object = {}, metadata: object = {}, node: object = {}): object => ({
  id,
  ...node,
  template: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: id.toLowerCase(), ...metadata }, data },
});

export const service = (spec: object = {}): object => ({
  id: 'service',
  template: { apiVersion: 'v1', kind: 'Service', metadata: { name: 'service' }, spec },
});

/** Rendered through the library. */
export const rendering =
  (objects: readonly PlainObject[], options: Options = {}, observed: readonly PlainObject[] = []) =>
  (): readonly Found[] =>
    render({ objects, observed }, options).diagnostics;

export const reading = (text: string) => (): readonly Found[] =>
  render({ objects: [{ file: 'input.yaml', text }] }).diagnostics;

/** Run through the command line. */
export const command = (args: readonly string[], stdin: string) => async (): Promise<readonly Found[]> =>
  JSON.parse((await invoke([...args, '--diagnostics', 'json'], stdin)).stderr);

/** Run as KRM function: over what it answered first, changed, when there is a change. */
export const answering =
  (items: readonly PlainObject[], config?: string, change?: (list: string) => string) =>
  async (): Promise<readonly Found[]> => {
    const list = listOf(
      items.map((item) => JSON.stringify(item)),
      config,
    );
    const input = change === undefined ? list : change((await runFunction(list)).stdout);
    return (await runFunction(input)).results.map(foundOf);
  };

/** Run as KRM function with something that is no ResourceList: only stderr says so. */
export const refusing = (stdin: string) => async (): Promise<readonly Found[]> => {
  const { stdout, stderr } = await invoke([], stdin);
  const [, severity = '', code = '', message = ''] = /(\w+)\[([\w-]+)\]: (.*)/.exec(stderr) ?? [];
  const hint = /hint: (.*)/.exec(stderr)?.[1];
  return stdout === '' ? [{ severity, code, stage: codes[code as Code].stage, message, hint }] : [];
};

function foundOf(result: ValueMap): Found {
  const message = String(result.message);
  const hint = /\(hint: ([\s\S]*)\)$/.exec(message)?.[1];
  const [code, stage] = ['code', 'stage'].map((tag) => String(getAt(result, ['tags', tag])));
  return { severity: String(result.severity), code: code ?? '', stage: stage ?? '', message, hint };
}
