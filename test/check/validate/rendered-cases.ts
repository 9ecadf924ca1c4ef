/** RGDs with instances whose objects an API server rejects, by code. */
const crd = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'disks.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { kind: 'Disk', plural: 'disks' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                properties: {
                  size: { type: 'integer', minimum: 1 },
                  limit: { type: 'integer', default: 10 },
                  tags: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
                },
                'x-kubernetes-validations': [{ rule: 'self.size <= self.limit', message: 'size is above the limit' }],
              },
            },
          },
        },
      },
    ],
  },
};

export const packageOf = (template: object, instances: readonly object[] = [{}], spec: object = {}): string =>
  [
    crd,
    {
      apiVersion: 'kro.run/v1alpha1',
      kind: 'ResourceGraphDefinition',
      metadata: { name: 'x' },
      spec: {
        schema: { apiVersion: 'v1alpha1', kind: 'X', spec: { value: 'object', ...spec } },
        resources: [{ id: 'a', template }],
      },
    },
    ...instances.map((value, index) => ({
      apiVersion: 'kro.run/v1alpha1',
      kind: 'X',
      metadata: { name: `x${index}` },
      spec: { value },
    })),
  ]
    .map((object) => JSON.stringify(object))
    .join('\n---\n');

const disk = (spec: object): object => ({
  apiVersion: 'example.com/v1',
  kind: 'Disk',
  metadata: { name: '${schema.metadata.name}' },
  spec,
});

export const renderedCases = {
  'rendered-type': packageOf(disk({ size: '${schema.spec.value.size}' }), [{ size: 'x' }]),
  'rendered-required': packageOf({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'a' },
    spec: { ports: [{ appProtocol: '${has(schema.spec.value.a) ? "a" : "b"}' }] },
  }),
  'rendered-value': packageOf(disk({ size: '${schema.spec.value.size}' }), [{ size: 0 }]),
  'rendered-unknown-field': packageOf(
    { apiVersion: 'example.com/v1', kind: 'Disk', metadata: { name: 'a' }, spec: '${dyn(schema.spec.value)}' },
    [{ sizes: 1 }],
  ),
  'rendered-duplicate': packageOf(disk({ size: 1, tags: ['a', '${string("a" + schema.spec.value.suffix)}'] }), [
    { suffix: '' },
  ]),
  'rendered-rule': packageOf(disk({ size: '${schema.spec.value.size}' }), [{ size: 11 }]),
} as const;

export const fine = packageOf(disk({ size: '${schema.spec.value.size}' }), [{ size: 3 }]);

export const refusedTwice = packageOf(disk({ size: '${schema.spec.value.size}' }), [{ size: 0 }, { size: 0 }]);

export const refusedSecret = packageOf({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'a' },
  data: { password: '${dyn("not?base64" + json.marshal(schema.spec.value))}' },
});
