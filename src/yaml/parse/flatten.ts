import {
  type Collector,
  type Problem,
  phrase,
  redactSecrets,
  type Text,
  titleText,
  toReport,
} from '../../core/diagnostics/index.ts';
import { type Document, type InputObject, isKubeObject, type KubeObject } from '../../core/model/object.ts';
import { get, isMap, type Path, type Value, type ValueMap } from '../../core/model/value.ts';
import { nearest } from '../../core/text/nearest.ts';
import { noObjectProblems, passedOver } from './no-object.ts';

/**
 * Returns the objects of an input, with lists flattened. Other values are ignored with an info. A single object keeps
 * its input. Invalid metadata of a `foreign` object, whose text the user does not own, is removed with an info.
 */
export function flattenObjects(
  inputs: readonly Document[],
  reports: Collector,
  foreign: (object: KubeObject) => boolean = () => false,
): InputObject[] {
  return flatten(inputs, { objects: [], reports, foreign });
}

/** Returns the same objects without reports, which another reader creates. */
export const objectsIn = (
  inputs: readonly Document[],
  foreign: (object: KubeObject) => boolean = () => false,
): InputObject[] => flatten(inputs, { objects: [], reports: undefined, foreign });

function flatten(inputs: readonly Document[], flattened: Flattened): InputObject[] {
  for (const input of inputs) addObject(input, flattened);
  return flattened.objects;
}

interface Flattened {
  objects: InputObject[];
  /** Undefined if reports are not needed. */
  reports: Collector | undefined;
  foreign: (object: KubeObject) => boolean;
}

function addObject(input: Document, flattened: Flattened, isItem = false): void {
  const { object: value, source } = input;
  const { objects, reports, foreign } = flattened;
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
    items.forEach((item, index) => {
      if (reports?.limitReached) return;
      const itemSource = source && { source: { ...source, path: [...source.path, 'items', index] } };
      addObject({ object: typedItem(value, item), ...itemSource }, flattened, true);
    });
    return;
  }
  const problems = [...listProblems(value), ...metadataProblems(value)];
  const isForeign = problems.length > 0 && foreign(value);
  for (const problem of problems)
    report(isForeign ? { ...problem, severity: 'info' } : problem, titleText(value, false));
  if (problems.length > 0 && !isForeign) return;
  objects.push(problems.length === 0 ? (input as InputObject) : { ...input, object: withoutPaths(value, problems) });
}

/** Returns the object without the fields of its metadata that have problems. */
function withoutPaths(object: KubeObject, problems: readonly Problem[]): KubeObject {
  const without = (value: Value, paths: readonly Path[]): Value => {
    if (!isMap(value)) return value;
    const remaining = Object.entries(value).flatMap(([key, inner]): [string, Value][] => {
      const deeper = paths.filter(([step]) => step === key).map((path) => path.slice(1));
      return deeper.some((path) => path.length === 0) ? [] : [[key, without(inner, deeper)]];
    });
    return Object.fromEntries(remaining);
  };
  const paths = problems.map(({ path }) => path);
  return without(object, paths) as KubeObject;
}

const isObject = (value: Value): value is KubeObject =>
  isKubeObject(value) && value.apiVersion !== '' && value.kind !== '';

const isWrong = (value: Value | undefined): boolean =>
  value !== undefined && value !== null && typeof value !== 'string';

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
  const hint =
    misspelt === undefined
      ? phrase`write items: [] for an empty List`
      : phrase`did you mean items in place of ${misspelt}?`;
  return [{ code: 'object-shape', message: phrase`a List must have items`, path: [], hint }];
}

/** Items of a typed list (ConfigMapList) may omit their apiVersion and kind. */
function typedItem(list: KubeObject, item: Value): Value {
  const kind = list.kind.slice(0, -'List'.length);
  if (kind === '' || !isMap(item) || Object.hasOwn(item, 'apiVersion') || Object.hasOwn(item, 'kind')) return item;
  return { apiVersion: list.apiVersion, kind, ...item };
}

function metadataProblems(object: KubeObject): Problem[] {
  const metadata = get(object, 'metadata');
  if (metadata === undefined || metadata === null) return [];
  if (!isMap(metadata)) return [wrongType('a map', metadata, ['metadata'])];
  const problems = ['name', 'namespace']
    .filter((key) => isWrong(get(metadata, key)))
    .map((key) => wrongType('a string', get(metadata, key), ['metadata', key]));
  return [...problems, ...['labels', 'annotations'].flatMap((key) => stringMapProblems(metadata, key))];
}

function stringMapProblems(metadata: ValueMap, key: string): Problem[] {
  const map = get(metadata, key);
  if (map === undefined || map === null) return [];
  if (!isMap(map)) return [wrongType('a map', map, ['metadata', key])];
  return Object.keys(map)
    .filter((name) => isWrong(map[name]))
    .map((name) => wrongType('a string', map[name], ['metadata', key, name]));
}

function wrongType(wanted: string, value: Value | undefined, path: Path): Problem {
  const isScalar = typeof value !== 'object';
  const got = Array.isArray(value)
    ? 'a list'
    : isMap(value)
      ? 'a map'
      : typeof value === 'boolean'
        ? 'a boolean'
        : 'a number';
  const message = phrase`must be ${wanted}, got ${typeof value === 'string' ? phrase`a string` : got}`;
  const problem: Problem = { code: 'object-shape', message, path };
  return wanted === 'a string' && isScalar ? { ...problem, hint: phrase`quote it` } : problem;
}
