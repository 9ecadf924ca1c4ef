import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, it } from 'vitest';
import schema from '../../../data/plan.schema.json';
import { acceptDangers, planJson } from '../../../src/gitops/plan/index.ts';
import { application, instance, planOf, type Texts, WEB } from './repository.ts';

const validate = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(schema);

const app = application('a', '{ path: apps/a }');
const claim = 'apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: { name: db }\nspec: {}\n';
const pod = (image: string): string =>
  `apiVersion: v1\nkind: Pod\nmetadata: { name: p }\nspec: { containers: [{ name: c, image: "${image}" }] }\n`;
const flux = `apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: { name: f, namespace: flux-system }\nspec: { interval: 10m, path: ./apps/a, prune: false, sourceRef: { kind: GitRepository, name: x } }\n`;
const renamed = WEB.replace('schema.metadata.name}', 'schema.metadata.name}-page');

const plans: Record<string, [Texts, Texts]> = {
  nothing: [{}, {}],
  'added and removed applications': [
    { 'a.yaml': app, 'apps/a/p.yaml': pod('a:1') },
    { 'w.yaml': WEB, 'apps/b/w.yaml': instance('b') },
  ],
  'a changed field, image and destination': [
    { 'a.yaml': app, 'apps/a/p.yaml': pod('a:1'), 'apps/a/c.yaml': claim },
    { 'a.yaml': app.replace('namespace: web', 'namespace: b'), 'apps/a/p.yaml': pod('a') },
  ],
  'objects that are kept': [
    { 'f.yaml': flux, 'apps/a/p.yaml': pod('a:1'), 'apps/a/c.yaml': claim },
    { 'f.yaml': flux, 'apps/a/p.yaml': pod('a:2') },
  ],
  'an object that another application takes over': [
    {
      'a.yaml': app,
      'b.yaml': application('b', '{ path: apps/b }'),
      'apps/a/c.yaml': claim,
      'apps/b/p.yaml': pod('a:1'),
    },
    {
      'a.yaml': app,
      'b.yaml': application('b', '{ path: apps/b }'),
      'apps/b/c.yaml': claim,
      'apps/b/p.yaml': pod('a:1'),
    },
  ],
  'a moved object': [
    { 'w.yaml': WEB, 'apps/b/w.yaml': instance('b') },
    { 'w.yaml': renamed, 'apps/b/w.yaml': instance('b') },
  ],
  'an error and a foreign application': [
    { 'w.yaml': WEB, 'apps/b/w.yaml': instance('b') },
    { 'w.yaml': WEB, 'apps/b/w.yaml': instance('b', '{ titel: x }'), 'r.yaml': application('r', '{ chart: redis }') },
  ],
  'namesakes and an RGD that breaks instances': [
    { 'w.yaml': WEB, 'apps/b/w.yaml': instance('b'), 'a.yaml': app, 'apps/a/p.yaml': pod('a:1') },
    {
      ...{ 'w.yaml': WEB.replace('default=Hello', 'required=true'), 'apps/b/w.yaml': instance('b') },
      ...{ 'a.yaml': app, 'apps/a/p.yaml': pod('a:3'), 'c.yaml': application('a', '{ path: apps/c }') },
      'apps/c/p.yaml': pod('a:2'),
    },
  ],
};

it.each(Object.entries(plans))('the published schema accepts the JSON of %s', (_, [before, after]) => {
  const accepted = ['danger-data-loss', 'danger-image-latest'].map((danger) => ({
    ...{ application: 'a', object: 'PersistentVolumeClaim web/db', danger, reason: 'unused' },
  }));
  const { plan } = acceptDangers(planOf(before, after), accepted);
  const value = JSON.parse(planJson(plan));
  expect(validate(value), JSON.stringify(validate.errors)).toBe(true);
  expect(validate({ ...value, dangers: [{ code: 'danger-data-loss' }] })).toBe(false);
});
