import table from '../../../data/metadata-rules.json';
import { type Code, type Message, type Problem, phrase, quote, shown } from '../../core/diagnostics/index.ts';
import { lazily } from '../../core/model/lazily.ts';
import { nameFault } from '../../core/model/names.ts';
import {
  formatPath,
  get,
  isMap,
  mapItems,
  type Path,
  textAt,
  type Value,
  type ValueMap,
} from '../../core/model/value.ts';
import { byteLength } from '../../core/text/utf8.ts';
import { forms, general, holds, OF_ABSENT } from './native/checks.ts';
import { entriesOf } from './native/resources.ts';
import { type Checks, type Place, type Rule, refuse, rulesOf } from './native/rule.ts';
import { typeFault } from './type.ts';
import { type Check, checkAt, faultAt, OF_OBJECT, type Visit } from './visit.ts';

const MAX_ANNOTATIONS = 256 * 1024;

export const bytesOf = (value: Value): number => (typeof value === 'string' ? byteLength(value) : 0);

/** k8s.io/apimachinery/pkg/api/validation, validateOwnerReference, besides empty fields. */
const owner: Rule = (value, place) => {
  const apiVersion = textAt(value, 'apiVersion');
  const [version, group = '', ...rest] = apiVersion.split('/').reverse();
  if (apiVersion === '') return;
  if (version === '' || rest.length > 0) refuse(place, phrase`must have an apiVersion with a version`);
  else if (group === '' && version === 'v1' && textAt(value, 'kind') === 'Event')
    refuse(place, phrase`must not be an Event`);
};

export const metadata: Checks = {
  owner: () => owner,
  annotationBytes: () =>
    holds(
      (value) => entriesOf(value).reduce((sum, [key, one]) => sum + bytesOf(key) + bytesOf(one), 0) <= MAX_ANNOTATIONS,
      phrase`Too long: must have at most ${shown(MAX_ANNOTATIONS)} bytes`,
    ),
  oneController: () =>
    holds(
      (owners) => !Array.isArray(owners) || owners.filter((one) => get(one, 'controller') === true).length < 2,
      phrase`must have at most one controller`,
    ),
};

const rules = lazily(() => rulesOf(table, { ...forms, ...general, ...metadata }, OF_ABSENT));

/** Checks metadata by a shape of `data/metadata-rules.json`. */
export function checkPart(
  name: keyof typeof table,
  value: Value,
  path: Path,
  faults: Problem[],
  codes: Place['codes'] = OF_OBJECT.codes,
): void {
  const named = rules();
  named(name)?.(value, { path: [...path], faults, codes, condition: '', named }, value);
}

export const META_FIELDS: readonly string[] = ['apiVersion', 'kind', 'metadata'];

/** Removes empty fields, because metadata is decoded into ObjectMeta and encoded again. */
export const withoutEmpty = (metadata: Value): Value =>
  isMap(metadata) ? mapItems(metadata, (value) => (isEmptyField(value) ? undefined : value)) : metadata;

const isEmptyField = (value: Value): boolean =>
  value === null || value === '' || value === 0n || (typeof value === 'object' && Object.keys(value).length === 0);

const FORMS = { apiVersion: /^[^/]+(\/[^/]*)?$|^\/[^/]*$/, kind: /^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/i };

/**
 * Checks an object inside of another one (k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta, Coerce and
 * Validate): its metadata as ObjectMeta, whatever the schema says of it.
 */
export function checkEmbedded(given: ValueMap, checked: ValueMap, visit: Visit, ofMetadata: Check): void {
  for (const [key, form] of Object.entries(FORMS)) {
    const value = checked[key];
    if (value === undefined) faultAt(visit, key, 'required', phrase`Required value`);
    else if (typeof value !== 'string') {
      visit.path.push(key);
      typeFault('string', value, visit);
      visit.path.pop();
    } else if (!form.test(value)) faultAt(visit, key, 'value', phrase`must be a valid ${shown(key)}`);
  }
  if ((given.metadata ?? null) === null) return;
  checkAt(ofMetadata, 'metadata', given.metadata as Value, visit);
  if (isMap(checked.metadata)) checkPart('EmbeddedMeta', checked.metadata, [...visit.path, 'metadata'], visit.problems);
}

const CODES: { required: Code; value: Code } = { required: 'instance-metadata', value: 'instance-metadata' };

/** Checks the metadata of an instance, which has a name. */
export function checkMetadata(value: Value | undefined, visit: Visit, ofMetadata: Check): ValueMap {
  const metadata = ofMetadata(value ?? {}, visit);
  if (!isMap(metadata)) return {};
  const faults: Problem[] = [];
  checkPart('InstanceMeta', metadata, visit.path, faults, CODES);
  for (const { message, ...rest } of faults) {
    const field = quote(`${formatPath(rest.path)}: `, '');
    visit.problems.push({ ...rest, message: phrase`${field}${message}` });
  }
  const { name, generateName } = metadata;
  const report = (message: Message, hint?: Message): void =>
    void visit.problems.push({ code: 'instance-metadata', message, path: [...visit.path, 'name'], hint });
  if (name === undefined || name === '') {
    const hint =
      generateName === undefined ? undefined : phrase`generateName would set another name in every rendering`;
    report(phrase`name is required`, hint);
  }
  const reason = typeof name === 'string' && name !== '' ? nameFault({ group: '', kind: '' }, name) : undefined;
  if (reason !== undefined) report(phrase`'${String(name)}' is not a valid name: ${reason}`);
  return metadata;
}
