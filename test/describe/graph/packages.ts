/** An RGD with every kind of node, one that it chains, and an instance with a skipped and a pending node. */
export const everything = `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: inner}
spec:
  schema: {apiVersion: v1alpha1, kind: Inner, spec: {text: string}}
  resources:
    - id: map
      template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "\${schema.metadata.name}"}, data: {v: "\${schema.spec.text}"}}
---
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: outer}
spec:
  schema: {apiVersion: v1alpha1, kind: Outer, spec: {enabled: boolean, names: "[]string"}}
  resources:
    - id: given
      externalRef: {apiVersion: v1, kind: ConfigMap, metadata: {name: given}}
    - id: all
      externalRef: {apiVersion: v1, kind: ConfigMap, metadata: {selector: {matchLabels: {a: b}}}}
    - id: chained
      template: {apiVersion: kro.run/v1alpha1, kind: Inner, metadata: {name: chained}, spec: {text: "\${given.data.v}"}}
    - id: many
      forEach: [{entry: "\${schema.spec.names}"}]
      template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "\${entry + string(size(all))}"}}
    - id: maybe
      includeWhen: ['\${schema.spec.enabled == true && "<&>" != "]]>"}']
      template: {apiVersion: v1, kind: Service, metadata: {name: maybe}, spec: {ports: [{port: 80}]}}
    - id: late
      template: {apiVersion: v1, kind: ConfigMap, metadata: {name: late}, data: {v: "\${string(balancer.status.loadBalancer.ingress.size())}"}}
    - id: balancer
      template: {apiVersion: v1, kind: Service, metadata: {name: balancer}, spec: {ports: [{port: 80}]}}
---
{apiVersion: v1, kind: ConfigMap, metadata: {name: given, namespace: ns}, data: {v: x}}
---
{apiVersion: kro.run/v1alpha1, kind: Outer, metadata: {name: o, namespace: ns}, spec: {enabled: false, names: [a, b]}}
`;
