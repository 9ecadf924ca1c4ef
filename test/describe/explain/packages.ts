import { Collector } from '../../../src/core/diagnostics/index.ts';
import { type Explainable, explainable } from '../../../src/describe/explain/index.ts';
import { defaultRenderOptions } from '../../../src/render/options/index.ts';
import { readStreams } from '../../../src/yaml/parse/index.ts';

export const rgd = `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: thing}
spec:
  schema:
    apiVersion: v1alpha1
    kind: Thing
    spec:
      size: integer | default=2
      wanted: boolean | default=false
      hosts: "[]string"
      password: string | default="none"
  resources:
    - id: main
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: \${schema.metadata.name}
        data:
          size: \${string(schema.spec.size * 2)}
          plain: written
          text: \${schema.metadata.name}-\${main2.data.copy}
    - id: main2
      template: {apiVersion: v1, kind: ConfigMap, metadata: {name: two}, data: {copy: "\${schema.spec.password}"}}
    - id: maybe
      includeWhen: ['\${schema.spec.wanted || (schema.spec.size > 3 && size(schema.spec.hosts) > 0)}']
      template: {apiVersion: v1, kind: ConfigMap, metadata: {name: maybe}}
    - id: reader
      template: {apiVersion: v1, kind: ConfigMap, metadata: {name: reader}, data: {name: "\${maybe.metadata.name}"}}
    - id: many
      forEach: [{host: "\${schema.spec.hosts}"}]
      template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "\${'h-' + host}"}, data: {host: "\${host}"}}
    - id: late
      template: {apiVersion: v1, kind: ConfigMap, metadata: {name: late}, data: {ip: "\${balancer.status.loadBalancer.ingress[0].ip}"}}
    - id: balancer
      template: {apiVersion: v1, kind: Service, metadata: {name: balancer}, spec: {ports: [{port: 80}]}}
    - id: after
      template: {apiVersion: v1, kind: ConfigMap, metadata: {name: after}, data: {ip: "\${late.data.ip}"}}
    - id: kept
      template: {apiVersion: v1, kind: Secret, metadata: {name: kept}, stringData: {p: "\${schema.spec.password}", q: literal2}}
    - id: leak
      template: {apiVersion: v1, kind: ConfigMap, metadata: {name: leak}, data: {url: "\${'db:' + kept.stringData.q}"}}
`;

export const instance = `apiVersion: kro.run/v1alpha1
kind: Thing
metadata: {name: t, namespace: ns}
spec:
  hosts: [one, two]
  password: hunter2
`;

const outer = `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: outer}
spec:
  schema: {apiVersion: v1alpha1, kind: Outer, spec: {amount: integer}}
  resources:
    - id: thing
      template: {apiVersion: kro.run/v1alpha1, kind: Thing, metadata: {name: inner}, spec: {size: "\${schema.spec.amount}", hosts: []}}
---
apiVersion: kro.run/v1alpha1
kind: Outer
metadata: {name: o, namespace: other}
spec: {amount: 21}
`;

export const plain = `${rgd}---\n${instance}`;
export const everything = `${plain}---\n${outer}`;

export function packageOf(text: string): Explainable {
  const { package: pack, reports } = explainable(
    { objects: readStreams([{ file: 'all.yaml', text }], new Collector()) },
    defaultRenderOptions,
  );
  if (pack === undefined) throw new Error(reports.map(({ message }) => message).join('\n'));
  return pack;
}
