import { describe, expect, it } from 'vitest';
import { caseTexts, corruptionsIn, preferredFix } from './fixes.ts';

/** From `TIMES=10` on, all cases are tested, and otherwise one of `STEP`. */
const times = Number(process.env.TIMES ?? 1);
const STEP = 12;

describe('a fix leaves YAML, removes its diagnostic and adds no error', () => {
  it('in the cases', () => {
    const chosen = caseTexts().filter((_, index) => times >= 10 || index % STEP === 0);
    const found = chosen.map(({ text }) => corruptionsIn(text));
    expect(found.flatMap(({ corruptions }) => corruptions)).toEqual([]);
    expect(found.reduce((sum, { offered }) => sum + offered, 0)).toBeGreaterThan(10);
  });

  const RGD = `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: web}
spec:
  schema:
    apiVersion: v1alpha1
    kind: Web
    group: example.com
    spec: {replicas: integer | default=1, expose: boolean | default=false}
  resources:
    - id: config
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: "\${schema.metadata.name}"}
        data: {a: "\${string(schema.spec.replicas)} \${string(schema.spec.expose)}"}
---
apiVersion: example.com/v1alpha1
kind: Web
metadata: {name: a, namespace: b}
spec:
  SPEC
`;
  it.each([
    ['replica: 2', 'replicas: 2'],
    ['exposed: true', 'expose: true'],
    ['"replica": 2', 'replicas: 2'],
  ])('replaces the key of %s', (written, wanted) => {
    const { fixed, covered } = preferredFix(RGD.replace('SPEC', written));
    expect(covered).toBe(written.split(':')[0]);
    expect(fixed).toBe(RGD.replace('SPEC', wanted));
  });
  it('does not replace a key by one that is there', () => {
    expect(preferredFix(RGD.replace('SPEC', 'replica: 2\n  replicas: 3')).fixed).toBe('no fix');
  });
});
