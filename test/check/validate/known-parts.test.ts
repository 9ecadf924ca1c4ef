import { describe, expect, it } from 'vitest';
import { validate } from '../../../src/api/index.ts';

const RULES = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: things.example.com }
spec:
  group: example.com
  scope: Namespaced
  names: { kind: Thing, plural: things }
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
            required: [size]
            x-kubernetes-validations: [{ rule: "self.size > 3" }]
            properties:
              size: { type: integer, maximum: 9 }
              level: { type: string, enum: [low, high] }
              names: { type: array, x-kubernetes-list-type: set, maxItems: 3, items: { type: string, maxLength: 3 } }
`;

/** Waits for a value of a cluster. */
const WAITS = '${first.status.loadBalancer.ingress[0].ip}';

/** Validates an RGD with a Service and a node with this template, and returns the code and the field of each error. */
function errorsOf(template: string, { more = '', spec = 'size: integer | default=12', forEach = '' } = {}): string[] {
  const rgd = `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: { name: app }
spec:
  schema: { apiVersion: v1alpha1, kind: App, spec: { ${spec} } }
  resources:
  - id: first
    template: { apiVersion: v1, kind: Service, metadata: { name: first }, spec: { ports: [{ port: 1 }] } }
  - id: second
    ${forEach}
    template: ${template}
${more}`;
  const instance = '{ apiVersion: kro.run/v1alpha1, kind: App, metadata: { name: one } }';
  const { diagnostics } = validate({ objects: [{ file: 'in.yaml', text: `${rgd}\n---\n${instance}\n---\n${RULES}` }] });
  expect(diagnostics.map(({ code }) => code)).toContain('pending-value');
  return diagnostics
    .filter(({ severity }) => severity === 'error')
    .map(({ code, field }) => `${code} ${field?.replace(/^spec\.resources\[\d\]\.template\.?/, '')}`);
}

const service = (metadata: string, spec: string): string =>
  `{ apiVersion: v1, kind: Service, metadata: { ${metadata} }, spec: { ${spec} } }`;
const thing = (spec: string): string =>
  `{ apiVersion: example.com/v1, kind: Thing, metadata: { name: x, annotations: { ip: "${WAITS}" } }, spec: { ${spec} } }`;

describe('an object with a pending value', () => {
  it.each([
    [
      'a field',
      service(`name: x, annotations: { ip: "${WAITS}" }`, 'ports: [{ port: 99999 }]'),
      'rendered-value spec.ports[0].port',
    ],
    ['a bound of a CRD', thing('size: "${schema.spec.size}"'), 'rendered-value spec.size'],
    ['a missing field', thing('level: low'), 'rendered-required spec.size'],
    [
      'its name',
      service(`name: X, annotations: { ip: "${WAITS}" }`, 'ports: [{ port: 1 }]'),
      'object-name metadata.name',
    ],
    [
      'its label',
      service(`name: x, labels: { a: "b c" }, annotations: { ip: "${WAITS}" }`, 'ports: [{ port: 1 }]'),
      'object-label metadata.labels.a',
    ],
  ])('is checked as far as it is known: %s', (_, template, expected) => {
    expect(errorsOf(template)).toEqual([expected]);
  });

  it('is compared with the identities of others', () => {
    const twin = service(`name: first, annotations: { ip: "${WAITS}" }`, 'ports: [{ port: 1 }]');
    expect(errorsOf(twin)).toEqual([expect.stringMatching(/^identity-collision /)]);
  });

  it('is checked once, in a collection too', () => {
    const item = service(`name: "x-\${letter}", annotations: { ip: "${WAITS}" }`, 'ports: [{ port: 99999 }]');
    const forEach = 'forEach: [{ letter: \'${["a", "b"]}\' }]';
    expect(errorsOf(item, { forEach })).toEqual(['rendered-value spec.ports[0].port']);
  });

  it.each([
    ['a text with an enum', thing(`size: 5, level: "${WAITS}"`)],
    ['an integer', thing(`size: "\${int(first.status.loadBalancer.ingress[0].ip)}"`)],
    ['an item of a set', thing(`size: 5, names: [a, "${WAITS}", "${WAITS}"]`)],
    ['a whole list', thing('size: 5, names: "${first.status.loadBalancer.ingress.map(one, one.ip)}"')],
    ['what a rule reads', thing('size: 2')],
    [
      'a selector',
      `{ apiVersion: apps/v1, kind: Deployment, metadata: { name: x }, spec: { selector: { matchLabels: { a: "${WAITS}" } }, template: { metadata: { labels: { a: b } }, spec: { containers: [{ name: a, image: b }] } } } }`,
    ],
    ['the name of a port', service('name: x', `ports: [{ port: 1, name: "${WAITS}" }, { port: 2, name: "${WAITS}" }]`)],
    [
      'a quantity',
      `{ apiVersion: v1, kind: Pod, metadata: { name: x }, spec: { containers: [{ name: a, image: b, resources: { limits: { cpu: "${WAITS}" } } }] } }`,
    ],
  ])('has no error because of it: %s', (_, template) => {
    expect(errorsOf(template)).toEqual([]);
  });

  it('hides no error of a node that reads it', () => {
    const more = `  - id: third
    template: { apiVersion: v1, kind: Service, metadata: { name: "\${second.metadata.name}-x" }, spec: { ports: [{ port: 99999 }] } }
`;
    const second = service(`name: x, annotations: { ip: "${WAITS}" }`, 'ports: [{ port: 1 }]');
    expect(errorsOf(second, { more })).toEqual(['rendered-value spec.ports[0].port']);
  });
});
