import { type Message, type Problem, phrase, quote, shown } from '../../core/diagnostics/index.ts';
import { nameFault } from '../../core/model/names.ts';
import { formatPath, isMap, mapItems, type Path, type Value, type ValueMap } from '../../core/model/value.ts';
import { checkPart } from './native/index.ts';
import { typeFault } from './scalars.ts';
import { type Check, checkAt, faultAt, type Visit } from './visit.ts';

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
      generateName === undefined ? undefined : phrase`generateName would set another name in every rendering`;
    report(phrase`name is required`, hint);
  }
  const reason = typeof name === 'string' && name !== '' ? nameFault({ group: '', kind: '' }, name) : undefined;
  if (reason !== undefined) report(phrase`'${String(name)}' is not a valid name: ${reason}`);
  return metadata;
}
