import { phrase, shown } from '../../../core/diagnostics/index.ts';
import { attempt } from '../../../core/model/attempt.ts';
import { get, isMap, type Value, type ValueMap } from '../../../core/model/value.ts';
import { customResourceDefinition } from './custom-resources.ts';
import { claim } from './metadata.ts';
import { entriesOf, limitRange, quota } from './resources.ts';
import {
  all,
  each,
  eachKey,
  fields,
  isEmpty,
  itemsAt,
  map,
  missing,
  oneOf,
  type Rule,
  refuse,
  required,
  text,
  textAt,
  unique,
} from './rule.ts';
import { isConfigKey, isQualified, labelKey } from './syntax.ts';

/** Returns a term as the API server compares terms: the set of values of each key. */
function topologyOf(term: Value): string {
  const byKey = itemsAt(term, 'matchLabelExpressions').map((one): [string, string[]] => [
    textAt(one, 'key'),
    [...new Set(itemsAt(one, 'values').map(String))].sort(),
  ]);
  return JSON.stringify([...new Map(byKey)].sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** pkg/apis/storage/validation, ValidateStorageClass. */
const storageClass = all(
  required('provisioner'),
  fields({
    provisioner: text((name) => isQualified(name.toLowerCase()), phrase`must be [prefix/]name`),
    parameters: eachKey((key) => key !== '', phrase`is empty`),
    reclaimPolicy: oneOf('', 'Delete', 'Retain'),
    volumeBindingMode: oneOf('Immediate', 'WaitForFirstConsumer'),
    allowedTopologies: all(
      unique(topologyOf, 'matchLabelExpressions'),
      each(
        all(
          required('matchLabelExpressions'),
          fields({
            matchLabelExpressions: all(
              each(
                all(
                  required('values'),
                  fields({ key: labelKey, values: unique((one) => (typeof one === 'string' ? one : undefined), '') }),
                ),
              ),
              unique((one) => textAt(one, 'key') || undefined, 'key'),
            ),
          }),
        ),
      ),
    ),
  }),
);

const SYSTEM = 'system-';
const HIGHEST = 1_000_000_000n;

const priorityClass: Rule = all(
  fields({ preemptionPolicy: oneOf('Never', 'PreemptLowerPriority') }),
  map((object, place) => {
    const { value } = object;
    const isSystem = textAt(object.metadata, 'name').startsWith(SYSTEM);
    if (isSystem) refuse(place, phrase`must not start with '${shown(SYSTEM)}'`, 'metadata', 'name');
    else if (typeof value === 'bigint' && value > HIGHEST) refuse(place, phrase`must be at most ${HIGHEST}`, 'value');
  }),
);

const MAX_SIZE = 1024 * 1024;
const KEY = phrase`is not a valid key: letters, digits, dashes, underscores and dots, at most 253`;
const keys = eachKey(isConfigKey, KEY);

const bytes = (value: Value): number => (typeof value === 'string' ? new TextEncoder().encode(value).length : 0);
const decoded = (value: Value): number =>
  typeof value === 'string' ? Math.floor((value.replace(/[\s=]/g, '').length * 3) / 4) : 0;
const sizeOf = (value: Value | undefined, size: (value: Value) => number): number =>
  entriesOf(value).reduce((sum, [, one]) => sum + size(one), 0);

const configMap = all(
  fields({ data: keys, binaryData: keys }),
  map((object, place) => {
    for (const [key] of entriesOf(object.binaryData)) {
      if (isMap(object.data) && Object.hasOwn(object.data, key))
        refuse(place, phrase`is also a key of binaryData`, 'data', key);
    }
    const size = sizeOf(object.data, bytes) + sizeOf(object.binaryData, decoded);
    if (size > MAX_SIZE) refuse(place, phrase`must not have more than ${MAX_SIZE} bytes of data`);
  }),
);

const NEEDS: Readonly<Record<string, readonly string[]>> = {
  'kubernetes.io/dockercfg': ['.dockercfg'],
  'kubernetes.io/dockerconfigjson': ['.dockerconfigjson'],
  'kubernetes.io/ssh-auth': ['ssh-privatekey'],
  'kubernetes.io/tls': ['tls.crt', 'tls.key'],
};
const ACCOUNT = 'kubernetes.io/service-account.name';

/** Keys of stringData override those of data. */
const secret = all(
  fields({ data: keys, stringData: keys }),
  map((object, place) => {
    const type = textAt(object, 'type');
    const has = (key: string): boolean =>
      [object.data, object.stringData].some((one) => isMap(one) && Object.hasOwn(one, key));
    for (const key of NEEDS[type] ?? [])
      if (!has(key)) missing(place, phrase`is required in a Secret of the type '${type}'`, 'data', key);
    if (type === 'kubernetes.io/basic-auth' && !has('username') && !has('password'))
      missing(place, phrase`must have username or password in a Secret of the type '${shown(type)}'`, 'data');
    if (type === 'kubernetes.io/service-account-token' && textAt(get(object.metadata, 'annotations'), ACCOUNT) === '') {
      missing(place, phrase`is required in a Secret of the type '${shown(type)}'`, 'metadata', 'annotations', ACCOUNT);
    }
    for (const key of type.startsWith('kubernetes.io/dockerc') ? (NEEDS[type] ?? []) : [])
      checkJson(object, key, place);
    if (type === 'kubernetes.io/ssh-auth' && has('ssh-privatekey') && isEmptyKey(object, 'ssh-privatekey'))
      missing(place, phrase`must not be empty`, 'data', 'ssh-privatekey');
    if (sizeOf(object.data, decoded) + sizeOf(object.stringData, bytes) > MAX_SIZE)
      refuse(place, phrase`must not have more than ${MAX_SIZE} bytes`, 'data');
  }),
);

const isEmptyKey = (object: ValueMap, key: string): boolean =>
  isEmpty(get(object.stringData, key) ?? get(object.data, key));

/** Checks only strings: data would have to be decoded from base64 first. */
function checkJson(object: ValueMap, key: string, place: Parameters<Rule>[1]): void {
  const plain = get(object.stringData, key);
  const written = plain ?? get(object.data, key);
  if (typeof written !== 'string') return;
  const content = plain === undefined ? fromBase64(written) : written;
  if (content !== undefined && !isJsonMap(content))
    refuse(place, phrase`must be a JSON object`, plain === undefined ? 'data' : 'stringData', key);
}

const fromBase64 = (text_: string): string | undefined => attempt(() => atob(text_.replace(/\s/g, '')), DOMException);

function isJsonMap(content: string): boolean {
  const value = attempt<unknown>(() => JSON.parse(content), SyntaxError);
  return value === null || isMap(value);
}

export const stores: Readonly<Record<string, Rule>> = {
  '/ConfigMap': configMap,
  '/Secret': secret,
  '/PersistentVolumeClaim': claim,
  '/ResourceQuota': quota,
  '/LimitRange': limitRange,
  'apiextensions.k8s.io/CustomResourceDefinition': customResourceDefinition,
  'storage.k8s.io/StorageClass': storageClass,
  'scheduling.k8s.io/PriorityClass': priorityClass,
};
