import { describe, expect, it } from 'vitest';
import { LONG } from '../../properties/runs.ts';
import { seed } from '../../seed.ts';
import { caseTexts, corruptionsIn, preferredFix, texts, withMistake } from './fixes.ts';
import { randomFrom } from './mutants.ts';

/** `TIMES=100` tests 4,000 random mistakes; from 10 on, all cases are tested, and otherwise one of `STEP`. */
const times = Number(process.env.TIMES ?? 1);
const RANDOM = 40;
const STEP = 12;

describe('a fix leaves YAML, removes its diagnostic and adds no error', () => {
  it('in the cases', () => {
    const chosen = caseTexts().filter((_, index) => times >= 10 || index % STEP === 0);
    const found = chosen.map(({ text }) => corruptionsIn(text));
    expect(found.flatMap(({ corruptions }) => corruptions)).toEqual([]);
    expect(found.reduce((sum, { offered }) => sum + offered, 0)).toBeGreaterThan(10);
  });

  it(
    'after random mistakes',
    () => {
      const random = randomFrom(seed);
      const all = texts();
      let offered = 0;
      for (let at = 0; at < RANDOM * times; at += 1) {
        const text = all[Math.floor(random() * all.length)]?.text ?? '';
        const found = corruptionsIn(withMistake(text, random));
        expect(found.corruptions).toEqual([]);
        offered += found.offered;
      }
      expect(offered).toBeGreaterThan(10);
    },
    LONG,
  );

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
