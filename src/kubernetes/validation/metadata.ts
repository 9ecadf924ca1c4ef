import { phrase, shown } from '../../core/diagnostics/index.ts';
import { labelKeyFault, labelValueFault, nameFault, namespaceFault } from '../../core/model/names.ts';
import { isMap, setKey, type Value, type ValueMap } from '../../core/model/value.ts';
import { nearest } from '../../core/text/nearest.ts';
import { typeFault } from './type.ts';
import { type Check, checkAt, fault, faultAt, isFull, type Visit } from './visit.ts';

const text: Check = (value, visit) => {
  if (typeof value !== 'string') typeFault('string', value, visit);
  return value;
};

/** Returns a check of a string with its own syntax, unless it is empty. */
const textOf =
  (what: string, reasonOf: (text: string) => string | undefined): Check =>
  (value, visit) => {
    const reason = typeof value === 'string' && value !== '' ? reasonOf(value) : undefined;
    if (reason !== undefined)
      fault(visit, 'instance-metadata', phrase`'${String(value)}' is not a valid ${shown(what)}: ${shown(reason)}`);
    return text(value, visit);
  };

const integer: Check = (value, visit) => {
  if (typeof value !== 'bigint') typeFault('integer', value, visit);
  return value;
};

const list: Check = (value, visit) => {
  if (!Array.isArray(value)) typeFault('array', value, visit);
  return value;
};

const texts: Check = (value, visit) => {
  if (!isMap(value)) {
    typeFault('object', value, visit);
    return value;
  }
  const checked: ValueMap = {};
  for (const [key, one] of Object.entries(value)) {
    if (one !== null) setKey(checked, key, checkAt(text, key, one, visit));
  }
  return checked;
};

const labels: Check = (value, visit) => {
  const checked = texts(value, visit);
  if (!isMap(checked)) return checked;
  for (const [key, one] of Object.entries(checked)) {
    const reason = labelKeyFault(key) ?? (typeof one === 'string' ? labelValueFault(one) : undefined);
    if (reason !== undefined)
      faultAt(visit, key, 'instance-metadata', phrase`'${key}: ${String(one)}' is not a valid label: ${shown(reason)}`);
  }
  return checked;
};

/** ObjectMeta (k8s.io/apimachinery/pkg/apis/meta/v1). Fields that only a cluster sets are accepted too. */
const fields: ReadonlyMap<string, Check> = new Map([
  ['name', text],
  ['generateName', text],
  ['namespace', textOf('namespace', namespaceFault)],
  ['labels', labels],
  ['annotations', texts],
  // The uid becomes a label of every object.
  ['uid', textOf('uid', labelValueFault)],
  ['resourceVersion', text],
  ['generation', integer],
  ['creationTimestamp', text],
  ['deletionTimestamp', text],
  ['deletionGracePeriodSeconds', integer],
  ['ownerReferences', list],
  ['finalizers', list],
  ['managedFields', list],
  ['selfLink', text],
]);

/** Checks `metadata` as the API server does for a custom resource with a name. */
export function checkMetadata(value: Value | undefined, visit: Visit): ValueMap {
  const metadata: ValueMap = {};
  if (value !== undefined && value !== null && !isMap(value)) {
    typeFault('object', value, visit);
    return metadata;
  }
  for (const [key, one] of Object.entries(value ?? {})) {
    const check = fields.get(key);
    if (check === undefined) unknownField(key, visit);
    else if (one !== null) metadata[key] = checkAt(check, key, one, visit);
  }
  checkName(metadata, visit);
  return metadata;
}

function checkName(metadata: ValueMap, visit: Visit): void {
  const { name, generateName } = metadata;
  if (name === undefined || name === '') {
    const hint =
      generateName === undefined ? undefined : phrase`generateName would set another name in every rendering`;
    faultAt(visit, 'name', 'instance-metadata', phrase`name is required`, hint);
    return;
  }
  if (typeof name !== 'string') return;
  const reason = nameFault({ group: '', kind: '' }, name);
  if (reason !== undefined)
    faultAt(visit, 'name', 'instance-metadata', phrase`'${name}' is not a valid name: ${reason}`);
}

function unknownField(key: string, visit: Visit): void {
  if (isFull(visit)) return;
  const close = nearest(key, fields.keys());
  const hint = close.length > 0 ? phrase`did you mean ${close.join(' or ')}?` : phrase`own fields belong under spec`;
  visit.path.push(key);
  fault(visit, 'instance-unknown-field', phrase`unknown field "metadata.${key}"`, hint);
  visit.path.pop();
}
