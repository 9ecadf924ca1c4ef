import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isPolicy } from '../../../src/check/policies/index.ts';
import { type KubeObject, nameOf } from '../../../src/core/model/object.ts';
import { get, getAt, isMap, type Value } from '../../../src/core/model/value.ts';
import { readPackageText } from '../documents.ts';
import type { Case } from './generate.ts';

/** The content of folders of policies. */
export interface Library {
  /** Each policy with its bindings, or else with one for the first parameter of its kind. */
  cases: Case[];
  crds: KubeObject[];
  params: KubeObject[];
  /** Objects to create. */
  objects: KubeObject[];
}

export function readLibrary(folders: readonly string[]): Library {
  const files = folders.flatMap(filesIn);
  const all = files.flatMap((file) =>
    /\.ya?ml$/.test(file) ? objectsIn(file).map((object) => ({ file, object })) : [],
  );
  const objects = all.map(({ object }) => object);
  const crds = distinct(objects.filter(({ kind }) => kind === 'CustomResourceDefinition'));
  const kinds = crds.map((crd) => String(getAt(crd, ['spec', 'names', 'kind'])));
  const params = distinct(objects.filter(({ kind }) => kinds.includes(kind)));
  const policies = distinct(objects.filter((object) => isPolicy({ object }) && object.kind.endsWith('Policy')));
  const cases = policies.map((policy): Case => {
    const name = nameOf(policy);
    const paramKind = getAt(policy, ['spec', 'paramKind', 'kind']);
    const param = params.find(({ kind }) => kind === paramKind);
    const paramRef = param && { name: nameOf(param), parameterNotFoundAction: 'Deny' };
    const binding: KubeObject = {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata: { name: `${name}-binding` },
      spec: { policyName: name, validationActions: ['Warn'], ...(paramRef && { paramRef }) },
    };
    return { name, objects: [{ ...policy, apiVersion: 'admissionregistration.k8s.io/v1' }, binding] };
  });
  const tested = files.filter((file) => file.endsWith('/tests.json')).flatMap((file) => testedIn(file, folders));
  return { cases, crds, params, objects: tested };
}

const distinct = (objects: readonly KubeObject[]): KubeObject[] => [
  ...new Map(objects.map((object) => [`${object.kind}/${nameOf(object)}`, object])).values(),
];

function objectsIn(file: string): KubeObject[] {
  try {
    return readPackageText(readFileSync(file, 'utf8'));
  } catch {
    return [];
  }
}

/** Returns the objects of a list of tests: templates, in which fields are changed. */
function testedIn(file: string, folders: readonly string[]): KubeObject[] {
  const tests = JSON.parse(readFileSync(file, 'utf8')) as { template?: string; field_change_list?: string[] }[];
  return tests.flatMap(({ template = '', field_change_list = [] }) => {
    const paths = [dirname(file), ...folders.map((folder) => join(folder, 'test-resources'))];
    const path = paths.map((folder) => join(folder, template)).find((one) => template !== '' && existsSync(one));
    const [object] = path === undefined ? [] : objectsIn(path);
    if (object === undefined || isPolicy({ object })) return [];
    return [field_change_list.reduce<KubeObject>((changed, change) => applied(changed, change) as KubeObject, object)];
  });
}

/** Applies a change: `spec.containers.[0].image=web`. */
function applied(object: Value, change: string): Value {
  const [path = '', ...value] = change.split('=');
  const [parsed] = readPackageText(`{apiVersion: v1, kind: A, value: ${value.join('=') || '""'}}`);
  const steps = path.split('.').map((step) => (/^\[\d+\]$/.test(step) ? Number(step.slice(1, -1)) : step));
  return withValue(object, steps, parsed?.value ?? '');
}

function withValue(value: Value | undefined, [step, ...rest]: readonly (string | number)[], by: Value): Value {
  if (step === undefined) return by;
  if (typeof step === 'number') {
    const list = Array.isArray(value) ? [...value] : [];
    list[step] = withValue(list[step], rest, by);
    return list;
  }
  return { ...(isMap(value) ? value : {}), [step]: withValue(get(value, step), rest, by) };
}

function filesIn(folder: string): string[] {
  if (!statSync(folder).isDirectory()) return /\.(?:ya?ml|json)$/.test(folder) ? [folder] : [];
  return readdirSync(folder)
    .filter((name) => !name.startsWith('.'))
    .sort()
    .flatMap((name) => filesIn(join(folder, name)));
}
