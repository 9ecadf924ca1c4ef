import { describe, expect, it } from 'vitest';
import { render } from '../../../src/api/index.ts';

/** A package whose object has fields for bytes. */
const packageOf = (spec: string): string => `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: boxes.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Box, listKind: BoxList, plural: boxes, singular: box}
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              properties:
                blob: {type: string, format: byte}
                blobs: {type: array, items: {type: string, format: byte}}
                texts: {type: array, items: {type: string}}
---
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: app}
spec:
  schema: {apiVersion: v1alpha1, kind: App, spec: {}}
  resources:
    - id: box
      template: {apiVersion: example.com/v1, kind: Box, metadata: {name: box}, spec: ${spec}}
---
{apiVersion: kro.run/v1alpha1, kind: App, metadata: {name: one, namespace: team-a}, spec: {}}
`;

function severities(spec: string, strict: boolean): string[] {
  const { diagnostics } = render({ objects: [{ file: 'a.yaml', text: packageOf(spec) }] }, { strict });
  return diagnostics.map(({ code, severity }) => `${code} ${severity}`);
}

// kro 0.9.4: unsupported type: bytes value cannot be used directly in a resource template or status field.
describe('bytes that kro cannot write', () => {
  it.each<[string, string]>([
    ['a field', `{blob: '\${b"x"}'}`],
    ['a list', `{blobs: '\${[b"x"]}'}`],
    ['a map literal of values of several types', `'\${{"blob": b"x", "texts": ["a"]}}'`],
    ['a conditional value', `'\${size("a") == 1 ? dyn({"blob": b"x"}) : dyn({})}'`],
    ['a variable', `'\${cel.bind(v, {"blob": dyn(b"x")}, dyn(v))}'`],
  ])('are a warning in %s, and an error with --strict', (_, spec) => {
    expect(severities(spec, false)).toEqual(['bytes-value warning']);
    expect(severities(spec, true)).toEqual(['bytes-value error']);
  });

  it('are not reported where none are written', () => {
    expect(severities(`{texts: '\${["a"]}'}`, true)).toEqual([]);
  });
});
