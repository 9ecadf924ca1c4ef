import type { ObjectSource } from '../../../../src/api/index.ts';

type Json = object | string | number | boolean | null;

/** An RGD of kind X. */
export function rgd(schema: object, resources: readonly Json[] = [], metadata: object = {}): ObjectSource {
  return {
    apiVersion: 'kro.run/v1alpha1',
    kind: 'ResourceGraphDefinition',
    metadata: { name: 'x', ...metadata },
    spec: { schema: { apiVersion: 'v1alpha1', kind: 'X', ...schema }, resources },
  } as ObjectSource;
}

/** An instance of X. */
export const x = (spec: object = {}, metadata: object = { namespace: 'n' }): ObjectSource =>
  ({ apiVersion: 'kro.run/v1alpha1', kind: 'X', metadata: { name: 'i', ...metadata }, spec }) as ObjectSource;

export const object = (apiVersion: string, kind: string, metadata: object, rest: object = {}): ObjectSource =>
  ({ apiVersion, kind, metadata, ...rest }) as ObjectSource;

/** A node that renders a ConfigMap with the name of the node. */
export const configMap = (id: string, data: object = {}, metadata: object = {}, node: object = {}): object => ({
  id,
  ...node,
  template: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: id.toLowerCase(), ...metadata }, data },
});

export const service = (spec: object = {}): object => ({
  id: 'service',
  template: { apiVersion: 'v1', kind: 'Service', metadata: { name: 'service' }, spec },
});

/** A Graph of kro 0.10. */
export const graphOf = (nodes: readonly object[]): ObjectSource =>
  object('kro.run/v1alpha1', 'Graph', { name: 'g', namespace: 'n' }, { spec: { nodes } });
