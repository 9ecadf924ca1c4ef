import { describe, expect, it } from 'vitest';
import { completionsAt } from '../../src/language-server/features/completion.ts';
import { Place } from '../../src/language-server/place.ts';
import { Workspace } from '../../src/language-server/workspace/workspace.ts';

/** An RGD with an expression in each place that expects another type; `^` in one of them is the cursor. */
const rgd = (parts: { replicas?: string; when?: string; each?: string; name?: string; type?: string }): string => {
  const {
    replicas = '1',
    when = 'schema.spec.size == "small"',
    each = 'schema.spec.hosts',
    name = 'web',
    type = 'string',
  } = parts;
  return `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: shop}
spec:
  schema:
    apiVersion: v1
    kind: Shop
    types:
      Tier:
        name: string
    spec:
      image: string | required=true
      size: string | enum="small,large" default="small"
      count: integer | default=2
      hosts: "[]string | default=[]"
      extra: ${type}
  resources:
    - id: web
      includeWhen:
        - \${${when}}
      forEach:
        - host: \${${each}}
      template:
        apiVersion: apps/v1
        kind: Deployment
        metadata:
          name: x-${name}
        spec:
          replicas: ${replicas}
`;
};

const SET = (part: string): string => `apiVersion: fluxcd.controlplane.io/v1
kind: ResourceSet
metadata: {name: teams, namespace: flux}
spec:
  inputs:
    - team: web
  resources:
${part}
`;

const POLICY = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: max}
spec:
  matchConstraints:
    resourceRules:
      - {apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}
  validations:
    - expression: ^
`;

/** Returns the labels at the cursor of a text, with what else is in the workspace. */
function labelsAt(text: string, others: Readonly<Record<string, string>> = {}): string[] {
  const offset = text.indexOf('^');
  const uri = 'file:///app/edited.yaml';
  const workspace = new Workspace();
  workspace.addRoot('file:///app');
  for (const [name, other] of Object.entries(others)) workspace.setFile(`file:///app/${name}`, other);
  workspace.open(uri, text.replace('^', ''), 1);
  const file = workspace.fileToAnswer(uri);
  if (file === undefined) return [];
  return completionsAt(new Place(file, offset, workspace), true).map(({ label }) => label);
}

describe('completion offers the wanted item first', () => {
  it('fields of the expected type', () => {
    expect(labelsAt(rgd({ replicas: '${schema.spec.^}' }))[0]).toBe('count');
    expect(labelsAt(rgd({ each: 'schema.spec.^' }))[0]).toBe('hosts');
    expect(
      labelsAt(rgd({ name: '${schema.spec.^}' }))
        .slice(0, 3)
        .sort(),
    ).toEqual(['extra', 'image', 'size']);
  });

  it('fields of the type of the other side of a comparison', () => {
    expect(labelsAt(rgd({ when: 'schema.spec.count > schema.spec.^' }))[0]).toBe('count');
    expect(
      labelsAt(rgd({ when: 'schema.spec.image != schema.spec.^' }))
        .slice(0, 3)
        .sort(),
    ).toEqual(['extra', 'image', 'size']);
  });

  it('the names of an object before its other metadata', () => {
    expect(labelsAt(rgd({ name: '${schema.metadata.^}' })).slice(0, 2)).toEqual(['name', 'namespace']);
  });

  it('the values of an enum that an expression compares', () => {
    expect(labelsAt(rgd({ when: 'schema.spec.size == ^' })).slice(0, 2)).toEqual(['"large"', '"small"']);
    expect(labelsAt(rgd({ when: '"^" != schema.spec.size' }))).toEqual([]);
    expect(labelsAt(rgd({ when: 'schema.spec.size != "^"' }))).toEqual(['large', 'small']);
    expect(labelsAt(rgd({ when: 'schema.spec.size in ["^"]' }))).toEqual(['large', 'small']);
    expect(labelsAt(rgd({ when: 'schema.spec.size in ["small", "^"]' }))).toEqual(['large', 'small']);
    expect(labelsAt(rgd({ when: 'schema.spec.image == "^"' }))).toEqual([]);
  });

  it('expressions after a dollar sign', () => {
    const [first, ...others] = labelsAt(rgd({ replicas: '$^' }));
    expect(first).toBe('${schema.spec.count}');
    expect(others).toContain('${schema}');
    expect(labelsAt(rgd({ name: '$^' })).slice(0, 4)).toContain('${host}');
  });

  it('types and markers of SimpleSchema by use and by type', () => {
    expect(labelsAt(rgd({ type: '^' })).slice(0, 4)).toEqual(['string', 'integer', 'boolean', 'Tier']);
    expect(labelsAt(rgd({ type: '"[]^"' }))[0]).toBe('Tier');
    expect(labelsAt(rgd({ type: 'integer | max^' }))[0]).toBe('maximum');
    expect(labelsAt(rgd({ type: 'string | max^' }))[0]).toBe('maxLength');
  });

  it('kinds and fields in the resources of a ResourceSet', () => {
    expect(labelsAt(SET('    - apiVersion: apps/v1\n      kind: ^'))[0]).toBe('Deployment');
    const fields = labelsAt(SET('    - apiVersion: apps/v1\n      kind: Deployment\n      spec:\n        ^'));
    expect(fields.slice(0, 3)).toEqual(['template', 'selector', 'replicas']);
  });

  it('actions at the beginning of a template, and functions after a pipe', () => {
    expect(labelsAt(SET('    - kind: << i^ >>')).slice(0, 2)).toEqual(['inputs', 'if']);
    const functions = labelsAt(SET('    - kind: << inputs.team | ^ >>'));
    expect(functions[0]).toBe('quote');
    expect(functions).not.toContain('inputs');
    expect(functions).not.toContain('if');
  });

  it('the names of an empty expression of a policy', () => {
    expect(labelsAt(POLICY)[0]).toBe('object');
  });

  it('the apiVersion of an instance that is being written', () => {
    const instance = 'apiVersion: kro^\nkind: Shop\nmetadata: {name: a}\nspec: {image: x}\n';
    expect(labelsAt(instance, { 'rgd.yaml': rgd({}) })[0]).toBe('kro.run/v1');
  });
});
