import table from '../../../../data/kubernetes-rules.json';
import ofMetadata from '../../../../data/metadata-rules.json';
import { type Message, type Problem, phrase, quote, shown } from '../../../core/diagnostics/index.ts';
import { lazily } from '../../../core/model/lazily.ts';
import { nameFault } from '../../../core/model/names.ts';
import { groupVersionKind, type KubeObject } from '../../../core/model/object.ts';
import {
  formatPath,
  isMap,
  mapItems,
  ownValue,
  type Path,
  type Value,
  type ValueMap,
} from '../../../core/model/value.ts';
import { typeFault } from '../scalars.ts';
import { type Check, checkAt, faultAt, type Visit } from '../visit.ts';
import { forms, general } from './checks.ts';
import { kinds } from './kinds.ts';
import { pods } from './pods.ts';
import { amounts } from './resources.ts';
import { type RuleTable, rulesOf } from './rule.ts';
import { structural } from './structural.ts';

export const checks = { ...forms, ...general, ...amounts, ...kinds, ...pods, ...structural };

/** The rules by `group/Kind`: what validation functions of k8s.io/kubernetes/pkg/apis require beyond the schemas. */
const rules = lazily(() => rulesOf({ ...ofMetadata, ...table } as RuleTable, checks));

/** Checks a value by the rules of a shape of the tables. */
function checkPart(name: string, value: Value, path: Path, faults: Problem[]): void {
  const named = rules();
  named(name)?.(value, { path: [...path], faults, condition: '', named }, value);
}

/** Returns what an API server rejects in a new object of one of Kubernetes' own kinds, beyond its schema. */
export function nativeFaults(object: KubeObject): Problem[] {
  const { group, kind } = groupVersionKind(object);
  const faults: Problem[] = [];
  if (object.metadata !== undefined) checkPart('ObjectMeta', object.metadata, ['metadata'], faults);
  checkPart(`${group}/${kind}`, object, [], faults);
  return faults;
}

/** Fields that schemas require and the API server does not: it drops or fills in some, and Go writes empty lists. */
const EXEMPT: readonly (readonly [kind: string, path: RegExp])[] = [
  ['*', /(?:^|\.)podFailurePolicy\.rules$/],
  ['*', /(?:^|\.)dataSource\.(?:kind|name)$/],
  ['*', /\.sysctls\[\d+\]\.value$/],
  ['*', /\.httpHeaders\[\d+\]\.value$/],
  ['*', /\.sleep\.seconds$/],
  ['*', /\.iscsi\.lun$/],
  ['*', /\.scaleIO\.secretRef$/],
  ['*', /\.preferredDuringSchedulingIgnoredDuringExecution\[\d+\]\.preference$/],
  ['apiextensions.k8s.io/CustomResourceDefinition', /^spec\.versions\[\d+\]\.(?:served|storage)$/],
  ['/LimitRange', /^spec\.limits$/],
];

export function isExempt({ path, code }: Problem, object: KubeObject): boolean {
  const { group, kind } = groupVersionKind(object);
  const text = formatPath(path);
  const isOf = (of: string): boolean => of === '*' || of === `${group}/${kind}`;
  return code === 'rendered-required' && EXEMPT.some(([of, where]) => isOf(of) && where.test(text));
}

export const META_FIELDS: readonly string[] = ['apiVersion', 'kind', 'metadata'];

/** Removes empty fields, because metadata is decoded into ObjectMeta and encoded again. */
export const withoutEmpty = (metadata: Value): Value =>
  isMap(metadata) ? mapItems(metadata, (value) => (isEmptyField(value) ? undefined : value)) : metadata;

const isEmptyField = (value: Value): boolean =>
  value === null || value === '' || value === 0n || (typeof value === 'object' && Object.keys(value).length === 0);

const FORMS = { apiVersion: /^[^/]+(\/[^/]*)?$|^\/[^/]*$/, kind: /^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/i };

/** An object in another one (k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta, Coerce and Validate). */
export function checkEmbedded(given: ValueMap, checked: ValueMap, visit: Visit, ofMetadata: Check): void {
  for (const [key, form] of Object.entries(FORMS)) {
    const value = ownValue(checked, key);
    if (value === undefined) faultAt(visit, key, 'required', phrase`Required value`);
    else if (typeof value !== 'string') {
      visit.path.push(key);
      typeFault('string', value, visit);
      visit.path.pop();
    } else if (!form.test(value)) faultAt(visit, key, 'value', phrase`must be a valid ${{ expected: shown(key) }}`);
  }
  if ((given.metadata ?? null) === null) return;
  checkAt(ofMetadata, 'metadata', given.metadata as Value, visit);
  if (isMap(checked.metadata)) checkPart('EmbeddedMeta', checked.metadata, [...visit.path, 'metadata'], visit.problems);
}

/** Checks the metadata of an instance, which has a name. */
export function checkMetadata(value: Value | undefined, visit: Visit, ofMetadata: Check): ValueMap {
  const metadata = ofMetadata(value ?? {}, visit);
  if (!isMap(metadata)) return {};
  const faults: Problem[] = [];
  checkPart('InstanceMeta', metadata, visit.path, faults);
  const reportAt = (path: Path, message: Message, hint?: Message): void =>
    void visit.problems.push({ code: 'instance-metadata', message, path, hint });
  for (const { message, path } of faults) reportAt(path, phrase`${quote(`${formatPath(path)}: `, '')}${message}`);
  const { name, generateName } = metadata;
  const report = (message: Message, hint?: Message): void => reportAt([...visit.path, 'name'], message, hint);
  if (name === undefined || name === '') {
    const hint =
      generateName === undefined
        ? phrase`add metadata.name`
        : phrase`generateName would set another name in every rendering`;
    report(phrase`name is required`, hint);
  }
  const reason = typeof name === 'string' && name !== '' ? nameFault({ group: '', kind: '' }, name) : undefined;
  if (reason !== undefined) report(phrase`'${{ name: String(name) }}' is not a valid name: ${reason}`);
  return metadata;
}
