import {
  advise,
  type Collector,
  type Message,
  type Problem,
  phrase,
  redactSecrets,
  shown,
  type Text,
  titleText,
  toReport,
} from '../../core/diagnostics/index.ts';
import { isKustomizationFile } from '../../core/model/kustomization.ts';
import { type Document, type InputObject, isKubeObject, type KubeObject } from '../../core/model/object.ts';
import {
  get,
  getAt,
  isMap,
  mapItems,
  type Path,
  typeTitle,
  type Value,
  type ValueMap,
} from '../../core/model/value.ts';
import { nearest } from '../../core/text/nearest.ts';

/**
 * Returns the objects of an input, with lists flattened; other values are ignored with an info. A single object keeps
 * its input. Invalid metadata of a `foreign` object, whose text the user does not own, is removed with an info. Without
 * `reports` another reader reports.
 */
export function flattenObjects(
  inputs: readonly Document[],
  reports?: Collector,
  foreign: (object: KubeObject) => boolean = () => false,
): InputObject[] {
  const objects: InputObject[] = [];
  const add = (input: Document, isItem: boolean): void => {
    const { object: value, source } = input;
    const report = (problem: Problem, object?: Text): void => {
      reports?.add({ ...toReport(redactSecrets(problem, value)), object, source });
    };
    if (!isObject(value)) {
      if (reports === undefined) return;
      for (const problem of noObjectProblems(value, { file: source?.file ?? '', isItem })) {
        if (problem !== passedOver || reports.remainingFor(problem.code, 'info') > 0) report(problem);
        else reports.count(problem.code, 'info');
      }
      return;
    }
    const items = itemsOf(value);
    if (items !== undefined) {
      for (const [index, item] of items.entries()) {
        if (reports?.limitReached) return;
        const itemSource = source && { source: { ...source, path: [...source.path, 'items', index] } };
        add({ object: typedItem(value, item), ...itemSource }, true);
      }
      return;
    }
    const problems = [...listProblems(value), ...metadataProblems(value)];
    const isForeign = problems.length > 0 && foreign(value);
    for (const problem of problems)
      report(isForeign ? { ...problem, severity: 'info' } : problem, titleText(value, false));
    if (problems.length === 0) objects.push(input as InputObject);
    else if (isForeign) {
      const fields = problems.map(({ path }) => path);
      objects.push({ ...input, object: withoutPaths(value, fields) as KubeObject });
    }
  };
  for (const input of inputs) add(input, false);
  return objects;
}

/** Returns the same objects without reports. */
export const objectsIn = (inputs: readonly Document[], foreign?: (object: KubeObject) => boolean): InputObject[] =>
  flattenObjects(inputs, undefined, foreign);

/** Returns a value without some of its fields. */
function withoutPaths(value: Value, paths: readonly Path[]): Value {
  if (!isMap(value) || paths.length === 0) return value;
  return mapItems(value, (inner, key) => {
    const deeper = paths.filter(([step]) => step === key).map((path) => path.slice(1));
    return deeper.some((path) => path.length === 0) ? undefined : withoutPaths(inner, deeper);
  });
}

const isObject = (value: Value): value is KubeObject =>
  isKubeObject(value) && value.apiVersion !== '' && value.kind !== '';

/** Returns the items of a list kind, which apimachinery recognises by its `items`. */
function itemsOf(object: KubeObject): readonly Value[] | undefined {
  if (!object.kind.endsWith('List')) return undefined;
  const items = get(object, 'items');
  if (Array.isArray(items)) return items;
  return object.kind === 'List' && listProblems(object).length === 0 ? [] : undefined;
}

const LIST_FIELDS = ['apiVersion', 'kind', 'metadata'];

/** A List without items would count as an ordinary object, and its content would be lost. */
function listProblems(object: KubeObject): Problem[] {
  const items = get(object, 'items');
  if (object.kind !== 'List' || items === null || Array.isArray(items)) return [];
  if (items !== undefined) return [wrongType('a list', items, ['items'])];
  const others = Object.keys(object).filter((key) => !LIST_FIELDS.includes(key));
  if (others.length === 0) return [];
  const [misspelt] = nearest('items', others, 1);
  const meant = misspelt && renamedKey(misspelt, 'items');
  const hint = meant || phrase`write items: [] for an empty List`;
  return [{ ...lost(phrase`a List must have items`), hint }];
}

/** Items of a typed list (ConfigMapList) may omit their apiVersion and kind. */
function typedItem(list: KubeObject, item: Value): Value {
  const kind = list.kind.slice(0, -'List'.length);
  if (kind === '' || !isMap(item) || Object.hasOwn(item, 'apiVersion') || Object.hasOwn(item, 'kind')) return item;
  return { apiVersion: list.apiVersion, kind, ...item };
}

function metadataProblems(object: KubeObject): Problem[] {
  const mapAt = (path: Path, problems: (map: ValueMap) => Problem[]): Problem[] => {
    const map = getAt(object, path) ?? null;
    if (map === null) return [];
    return isMap(map) ? problems(map) : [wrongType('a map', map, path)];
  };
  return mapAt(['metadata'], (metadata) => [
    ...textProblems(metadata, ['name', 'namespace'], ['metadata']),
    ...['labels', 'annotations'].flatMap((key) => {
      const path = ['metadata', key];
      return mapAt(path, (map) => textProblems(map, Object.keys(map), path));
    }),
  ]);
}

const textProblems = (map: ValueMap, keys: readonly string[], path: Path): Problem[] =>
  keys.flatMap((key) => {
    const value = get(map, key) ?? null;
    return value === null || typeof value === 'string' ? [] : [wrongType('a string', value, [...path, key])];
  });

const QUOTE = advise(phrase`quote it`, { kind: 'quote' });

const wrongType = (wanted: string, value: Value, path: Path): Problem => ({
  code: 'object-shape',
  message: phrase`must be ${{ expected: wanted }}, got ${{ got: shown(typeTitle(value)) }}`,
  path,
  hint: wanted === 'a string' && typeof value !== 'object' ? QUOTE : undefined,
});

const TYPE_KEYS = ['apiVersion', 'kind'] as const;

/**
 * Returns why a value is not a Kubernetes object. One that lost its `apiVersion` or `kind` would be pruned: an error.
 * Others are ignored with an info. `file` is '' without one; an item of a list of objects must be intended as one.
 */
export function noObjectProblems(value: Value, { file, isItem }: { file: string; isItem: boolean }): Problem[] {
  if (Array.isArray(value) && value.some(looksLikeObject)) {
    const hint = phrase`write each object as a separate document, or all under the items of a List`;
    return [{ ...lost(phrase`expected an object, got a list of objects`), hint }];
  }
  if (!isMap(value)) return isItem ? [lost(phrase`an item must be an object with apiVersion and kind`)] : [passedOver];
  // kustomize completes its own files, so their missing fields are not reported.
  const [name = ''] = /(?<![^/\\])[^/\\]*$/.exec(file) ?? [];
  if (!isItem && isKustomizationFile(name)) return [];
  const wrong = textProblems(value, TYPE_KEYS, []);
  if (wrong.length > 0) return wrong.map((problem) => ({ ...problem, hint: QUOTE }));
  const missing = TYPE_KEYS.filter((key) => !isGiven(get(value, key)));
  const [first] = missing;
  if (first === undefined) return [];
  if (missing.length === 1) {
    return !isItem && isSomethingElse(value, name) ? [passedOver] : [missingOne(value, first)];
  }
  if (isItem) return [lost(phrase`an item must have apiVersion and kind`)];
  if (name === 'render-rgd.yaml') return [];
  const misspelt = TYPE_KEYS.map((key) => otherSpelling(value, key));
  if (misspelt.includes(undefined)) return [passedOver];
  const message = phrase`apiVersion and kind are written as ${{ key: shown(misspelt.join(' and ')) }}`;
  return [{ ...lost(message), hint: phrase`write them as shown` }];
}

/** The report of an ignored document; there may be any number of them. */
const passedOver: Problem = {
  code: 'not-an-object',
  message: phrase`a document without apiVersion and kind is ignored: it is not a Kubernetes object`,
  path: [],
  severity: 'info',
};

/** Asks for a key in place of another one of the object. */
const renamedKey = (key: string, to: string): Message =>
  advise(phrase`did you mean ${shown(to)} in place of ${key}?`, {
    kind: 'rename-key',
    key: phrase`${key}`,
    to: shown(to),
  });

const lost = (message: Message): Problem => ({ code: 'object-shape', message, path: [] });

function missingOne(value: ValueMap, key: (typeof TYPE_KEYS)[number]): Problem {
  const other = key === 'kind' ? 'apiVersion' : 'kind';
  const misspelt = otherSpelling(value, key);
  const meant = misspelt && renamedKey(misspelt, key);
  const hint = meant || phrase`add ${shown(key)}; if this is not a Kubernetes object, ignore its file with --exclude`;
  return { ...lost(phrase`it has ${shown(other)} but no ${{ key: shown(key) }}`), hint };
}

/** Returns a key that differs only in case. */
const otherSpelling = (value: ValueMap, wanted: string): string | undefined =>
  Object.keys(value).find((key) => key !== wanted && key.toLowerCase() === wanted.toLowerCase());

/** Fields that contain most of an object. */
const PARTS = ['metadata', 'spec', 'data', 'stringData', 'items'];
const VALUES = /values[^/]*\.(ya?ml|json)$/i;

/** Values of a Helm chart and settings of tools may have a `kind`, but no name or field with most of an object. */
function isSomethingElse(value: ValueMap, file: string): boolean {
  const isChart = /^Chart\.ya?ml$/.test(file) && typeof get(value, 'name') === 'string';
  if (isChart && /^v[12]$/.test(String(get(value, 'apiVersion')))) return true;
  if (!Object.hasOwn(value, 'kind') || Object.hasOwn(value, 'apiVersion')) return false;
  if (TYPE_KEYS.some((key) => otherSpelling(value, key) !== undefined)) return false;
  const isNamed = typeof getAt(value, ['metadata', 'name']) === 'string';
  const hasPart = PARTS.some((key) => isMap(get(value, key)) || Array.isArray(get(value, key)));
  return VALUES.test(file) ? !isNamed : !hasPart;
}

const isGiven = (value: Value | undefined): boolean => value !== undefined && value !== null && value !== '';

const looksLikeObject = (value: Value): boolean =>
  isMap(value) && TYPE_KEYS.every((key) => typeof get(value, key) === 'string');
