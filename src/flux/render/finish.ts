import { type Message, type Problem, phrase, quote, shown } from '../../core/diagnostics/index.ts';
import { entryFault, isNewServiceName, nameFault, namespaceFault } from '../../core/model/names.ts';
import { groupVersionKind } from '../../core/model/object.ts';
import { get, isMap, type Path, setKey, textAt, type Value, type ValueMap } from '../../core/model/value.ts';
import { ownerLabels } from '../../kubernetes/label/index.ts';
import type { NamespacedName } from '../inputs/providers.ts';
import { RECONCILE } from '../kinds.ts';
import type { ResourceSetSpec } from '../spec.ts';

export const isDisabled = (object: ValueMap): boolean =>
  get(get(get(object, 'metadata'), 'annotations'), RECONCILE) === 'disabled';

/** Checks that labels and annotations are strings; a null is an empty string where the map is written again. */
export function metadataFault(object: ValueMap, path: Path, about: () => Message): Problem | undefined {
  const found = faultIn(get(object, 'metadata') ?? null);
  if (found === undefined) return undefined;
  const hint = found.value === undefined ? {} : { hint: quoteHint(found.value) };
  return { code: 'rendered-metadata', message: phrase`${found.message}${about()}`, path, ...hint };
}

/** Returns the error of a metadata; with the value that is not a string, if it is one. */
function faultIn(metadata: Value): { message: Message; value?: Value } | undefined {
  if (metadata === null) return undefined;
  if (!isMap(metadata)) return { message: phrase`metadata must be a map` };
  for (const field of NAMES) {
    const value = get(metadata, field) ?? null;
    if (value !== null && typeof value !== 'string')
      return { message: phrase`metadata.${shown(field)} must be a string, it is ${String(value)}`, value };
  }
  for (const field of MAPS) {
    const map = get(metadata, field) ?? null;
    if (map === null) continue;
    if (!isMap(map)) return { message: phrase`metadata.${shown(field)} must be a map` };
    for (const [key, value] of Object.entries(map)) {
      if (value !== null && typeof value !== 'string')
        return {
          message: phrase`metadata.${shown(field)}: the value of '${key}' must be a string, it is ${String(value)}`,
          value,
        };
    }
  }
  return undefined;
}

const NAMES = ['name', 'namespace'] as const;
const MAPS = ['labels', 'annotations'] as const;

/** Returns the hint to quote a value that must be a string. */
function quoteHint(value: Value): Message {
  const quote = phrase`quotes around an action do not reach the object: pipe its value through quote`;
  if (typeof value !== 'boolean') return quote;
  return phrase`YAML reads y, n, on, off, yes and no as booleans: put them in quotes; ${quote}`;
}

/** Returns what every API server rejects in the names and labels of an object. */
export function objectFaults(object: ValueMap): Problem[] {
  const metadata = get(object, 'metadata');
  const [name, namespace] = [textAt(metadata, 'name'), textAt(metadata, 'namespace')];
  const [kind, apiVersion] = [textAt(object, 'kind'), textAt(object, 'apiVersion')];
  const problems: Problem[] = [];
  const fault = (code: Problem['code'], value: string, hidden: string, reason: string): void => {
    problems.push({ code, message: phrase`${quote(value, hidden)}: ${shown(reason)}`, path: [] });
  };
  const { group } = groupVersionKind({ apiVersion, kind });
  const nameReason = name === '' ? undefined : nameFault({ group, kind }, name);
  if (nameReason !== undefined) {
    fault(
      isNewServiceName({ group, kind }, name) ? 'service-name' : 'object-name',
      `'${name}' is not a valid name of a ${kind}`,
      'a name is not valid',
      nameReason,
    );
  }
  const reason = namespace === '' ? undefined : namespaceFault(namespace);
  if (reason !== undefined) {
    fault('object-namespace', `'${namespace}' is not a valid namespace`, 'a namespace is not valid', reason);
  }
  for (const field of MAPS) {
    for (const [key, value] of Object.entries(mapAt(metadata, field))) {
      const text = value === null ? '' : String(value);
      const entryReason = entryFault(field, key, text);
      if (entryReason === undefined) continue;
      const entry = field === 'labels' ? `'${key}: ${text}'` : `'${key}'`;
      fault('object-label', entry, `one of its ${field} is not valid`, entryReason);
    }
  }
  return problems;
}

const mapAt = (value: Value | undefined, field: string): ValueMap => {
  const map = get(value, field);
  return isMap(map) ? map : {};
};

/** Adds the common metadata and the labels with the ResourceSet to objects. */
export function finisher(
  { labels, annotations }: ResourceSetSpec,
  set: NamespacedName,
): (object: ValueMap) => ValueMap {
  const own = Object.entries({ ...labels, ...ownerLabels(set.name, set.namespace) });
  const notes = Object.entries(annotations);
  return (object) => {
    const metadata = get(object, 'metadata');
    const result: ValueMap = isMap(metadata) ? { ...metadata } : {};
    result.labels = merged(get(metadata, 'labels'), own);
    if (notes.length > 0) result.annotations = merged(get(metadata, 'annotations'), notes);
    return { ...object, metadata: result };
  };
}

function merged(own: Value | undefined, over: readonly [string, Value][]): ValueMap {
  const map: ValueMap = {};
  for (const [key, value] of Object.entries(isMap(own) ? own : {})) setKey(map, key, value ?? '');
  for (const [key, value] of over) setKey(map, key, value);
  return map;
}
