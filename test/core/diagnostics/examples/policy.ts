import { validatePackage } from '../../../../src/check/validate/index.ts';
import { Collector } from '../../../../src/core/diagnostics/index.ts';
import { defaultRenderOptions } from '../../../../src/render/options/index.ts';
import { toDiagnostics } from '../../../../src/yaml/locate/index.ts';
import { readStreams } from '../../../../src/yaml/parse/index.ts';
import type { Example } from './example.ts';

const policy = (validation: string): string => `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: p}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}]
  validations: [{expression: "${validation}"}]
---
`;
const binding = `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: b}
spec: {policyName: p, validationActions: [Deny]}
---
`;
const deployment = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: d, namespace: ns}
spec:
  selector: {matchLabels: {a: b}}
  template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: c}]}}
---
`;

const validating =
  (...texts: readonly string[]): Example['find'] =>
  () => {
    const objects = readStreams([{ file: 'x.yaml', text: texts.join('') }], new Collector());
    return toDiagnostics(validatePackage({ objects }, defaultRenderOptions).reports);
  };

export const policyExamples = {
  'policy-denied': { find: validating(policy('has(object.metadata.labels.a)'), binding, deployment) },
  'policy-undecided': {
    find: validating(policy("request.userInfo.username == 'a'"), binding, deployment),
    severity: 'info',
    hint: '--as USER',
  },
  'policy-invalid': { find: validating(policy('objekt.spec'), binding) },
  'policy-type': { find: validating(policy('object.spec.replica < 3'), binding), severity: 'warning' },
  'policy-ineffective': {
    find: validating(policy('true')),
    severity: 'warning',
    hint: 'add a ValidatingAdmissionPolicyBinding',
  },
  'policy-not-evaluated': {
    find: validating('{apiVersion: kyverno.io/v1, kind: ClusterPolicy, metadata: {name: p}}'),
    severity: 'info',
  },
} as const satisfies Record<string, Example>;
