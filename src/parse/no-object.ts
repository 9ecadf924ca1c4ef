import type { Problem } from '../diagnostics/index.ts';
import { get, isMap, type Value, type ValueMap } from '../model/value.ts';

const TYPE_KEYS = ['apiVersion', 'kind'] as const;

/** Where a value stands that is no object: in a list of objects it can be nothing else by intention. */
export interface Whereabouts {
  /** The name of its file, without folders; '' when it has none. */
  file: string;
  isItem: boolean;
}

/**
 * Why a value is no Kubernetes object. One that has only `apiVersion` or only `kind` lost the other, and what is lost is
 * pruned: an error. One that has neither is something else, and is passed over with an info.
 */
export function noObjectProblems(value: Value, { file, isItem }: Whereabouts): Problem[] {
  if (Array.isArray(value) && value.some(looksLikeObject)) {
    const hint = 'put each into a document of its own, or all under the items of a List';
    return [{ code: 'object-shape', message: 'a list of objects is no object', path: [], hint }];
  }
  if (!isMap(value)) return isItem ? [lost('an item must be an object with apiVersion and kind', [])] : [passedOver];
  const wrong = TYPE_KEYS.filter((key) => isWrongType(get(value, key)));
  if (wrong.length > 0) {
    return wrong.map((key) => ({ ...lost(`must be a string, got ${typeTitle(get(value, key))}`, [key]), ...quotes }));
  }
  const missing = TYPE_KEYS.filter((key) => !isGiven(get(value, key)));
  const [first] = missing;
  if (first === undefined) return [];
  if (missing.length === 1) return isToolFile(value, file) ? [passedOver] : [missingOne(value, first)];
  if (isItem) return [lost('an item must have apiVersion and kind', [])];
  const misspelt = TYPE_KEYS.map((key) => otherSpelling(value, key));
  return misspelt.every((key) => key !== undefined)
    ? [{ ...lost(`apiVersion and kind are written as ${misspelt.join(' and ')}`, []), hint: 'write them as shown' }]
    : [passedOver];
}

const passedOver: Problem = {
  code: 'not-an-object',
  message: 'a document without apiVersion and kind was passed over',
  path: [],
  severity: 'info',
};

const quotes = { hint: 'put it in quotes' };

const lost = (message: string, path: Problem['path']): Problem => ({ code: 'object-shape', message, path });

function missingOne(value: ValueMap, key: (typeof TYPE_KEYS)[number]): Problem {
  const other = key === 'kind' ? 'apiVersion' : 'kind';
  const misspelt = otherSpelling(value, key);
  return {
    ...lost(`${other} is there and ${key} is missing`, []),
    hint:
      misspelt === undefined
        ? `add ${key}; if this is no Kubernetes object, --exclude leaves its file out`
        : `did you mean ${key} in place of ${misspelt}?`,
  };
}

/** A key that differs in upper and lower case only. */
const otherSpelling = (value: ValueMap, wanted: string): string | undefined =>
  Object.keys(value).find((key) => key !== wanted && key.toLowerCase() === wanted.toLowerCase());

/** kustomize fills in what its own files leave out, and a Helm chart has no kind. */
function isToolFile(value: ValueMap, file: string): boolean {
  if (/^kustomization\.ya?ml$/i.test(file)) return true;
  const isChart = /^Chart\.ya?ml$/.test(file) && typeof get(value, 'name') === 'string';
  return isChart && /^v[12]$/.test(String(get(value, 'apiVersion')));
}

const isGiven = (value: Value | undefined): boolean => value !== undefined && value !== null && value !== '';

const isWrongType = (value: Value | undefined): boolean => isGiven(value) && typeof value !== 'string';

const looksLikeObject = (value: Value): boolean =>
  isMap(value) && TYPE_KEYS.every((key) => typeof get(value, key) === 'string');

const typeTitle = (value: Value | undefined): string => {
  if (Array.isArray(value)) return 'a list';
  return isMap(value) ? 'a map' : typeof value === 'boolean' ? 'a boolean' : 'a number';
};
