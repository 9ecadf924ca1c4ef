import { describe, expect, it } from 'vitest';
import { APPLICATIONS, CLUSTER_CHANGES } from './changes-of-clusters.ts';
import { answerOf, type Texts } from './repository.ts';

const planned = ({ same = {}, before, after }: { same?: Texts; before: Texts; after: Texts }) =>
  answerOf({ ...APPLICATIONS, ...same, ...before }, { ...APPLICATIONS, ...same, ...after });

const messages = (title: string): string[] => {
  const found = CLUSTER_CHANGES.find((one) => one.title === title);
  return found === undefined ? [] : planned(found).dangers.map(({ message }) => message);
};

describe('dangers in a whole cluster', () => {
  it.each(CLUSTER_CHANGES)('are those of the case: $title', (change) => {
    const plan = planned(change);
    expect(plan.applications.filter(({ isRejected }) => isRejected)).toEqual([]);
    expect(plan.dangers.map(({ code }) => code)).toEqual(change.dangers);
  });

  it('name what still needs an object, and its application', () =>
    expect(messages('a ConfigMap is deleted that another application reads')).toEqual([
      'ConfigMap web/settings is deleted, which Deployment web/web of Application two still needs',
    ]));

  it('name the applications whose objects are deleted with a Namespace or a CRD', () => {
    expect(messages('a Namespace is deleted that another application uses')).toEqual([
      expect.stringMatching(/, such as those of Application two$/),
    ]);
    expect(messages('a CRD is deleted whose kind another application uses')).toEqual([
      expect.stringMatching(/, such as those of Application two$/),
    ]);
  });

  it('never show the name of an object that may be a value of a Secret', () => {
    const rgd = `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: { name: web }
spec:
  schema: { apiVersion: v1alpha1, kind: Web, spec: { name: string } }
  resources:
    - id: secret
      template:
        apiVersion: v1
        kind: Secret
        metadata: { name: s }
        stringData: { name: "planted-\${schema.spec.name}" }
    - id: pod
      template:
        apiVersion: v1
        kind: Pod
        metadata: { name: p }
        spec:
          serviceAccountName: \${secret.stringData.name}
          containers: [{ name: c, image: "a:1", envFrom: [{ configMapRef: { name: "\${secret.stringData.name}" } }] }]
`;
    const web = (name: string): string =>
      `apiVersion: kro.run/v1alpha1\nkind: Web\nmetadata: { name: a, namespace: web }\nspec: { name: ${name} }\n`;
    const plan = planned({
      same: { 'web.rgd.yaml': rgd },
      before: { 'one/w.yaml': web('old') },
      after: { 'one/w.yaml': web('new') },
    });
    expect(plan.applications[0]?.changed.length).toBeGreaterThan(0);
    expect(JSON.stringify(plan)).not.toContain('planted-');
  });
});
