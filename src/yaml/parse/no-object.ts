import { type Message, type Problem, phrase, shown } from '../../core/diagnostics/index.ts';
import { isKustomizationFile } from '../../core/model/kustomization.ts';
import { get, getAt, isMap, type Value, type ValueMap } from '../../core/model/value.ts';

const NAME = /[^/\\]*$/;
const TYPE_KEYS = ['apiVersion', 'kind'] as const;

/** The context of a value that is not an object: in a list of objects it must be intended as one. */
export interface ValueContext {
  /** Its file; '' for none. */
  file: string;
  isItem: boolean;
}

/**
 * Returns why a value is not a Kubernetes object. One that has only `apiVersion` or only `kind` and otherwise looks
 * like an object lost the other field, and would be pruned: an error. Other values are ignored with an info.
 */
export function noObjectProblems(value: Value, { file, isItem }: ValueContext): Problem[] {
  if (Array.isArray(value) && value.some(looksLikeObject)) {
    const hint = phrase`write each object as a separate document, or all under the items of a List`;
    return [{ code: 'object-shape', message: phrase`expected an object, got a list of objects`, path: [], hint }];
  }
  if (!isMap(value))
    return isItem ? [lost(phrase`an item must be an object with apiVersion and kind`, [])] : [passedOver];
  // kustomize completes its own files, so their missing fields are not reported.
  if (!isItem && isKustomizationFile(NAME.exec(file)?.[0] ?? '')) return [];
  const wrong = TYPE_KEYS.filter((key) => isWrongType(get(value, key)));
  if (wrong.length > 0) {
    return wrong.map((key) => ({
      ...lost(phrase`must be a string, got ${shown(typeTitle(get(value, key)))}`, [key]),
      ...quotes,
    }));
  }
  const missing = TYPE_KEYS.filter((key) => !isGiven(get(value, key)));
  const [first] = missing;
  if (first === undefined) return [];
  if (missing.length === 1) {
    return !isItem && isSomethingElse(value, NAME.exec(file)?.[0] ?? '') ? [passedOver] : [missingOne(value, first)];
  }
  if (isItem) return [lost(phrase`an item must have apiVersion and kind`, [])];
  const misspelt = TYPE_KEYS.map((key) => otherSpelling(value, key));
  if (isSettings(NAME.exec(file)?.[0] ?? '')) return [];
  return misspelt.every((key) => key !== undefined)
    ? [
        {
          ...lost(phrase`apiVersion and kind are written as ${shown(misspelt.join(' and '))}`, []),
          hint: phrase`write them as shown`,
        },
      ]
    : [passedOver];
}

/** The report of an ignored document; there may be any number of them. */
export const passedOver: Problem = {
  code: 'not-an-object',
  message: phrase`a document without apiVersion and kind is ignored: it is not a Kubernetes object`,
  path: [],
  severity: 'info',
};

const quotes = { hint: phrase`quote it` };

const lost = (message: Message, path: Problem['path']): Problem => ({ code: 'object-shape', message, path });

function missingOne(value: ValueMap, key: (typeof TYPE_KEYS)[number]): Problem {
  const other = key === 'kind' ? 'apiVersion' : 'kind';
  const misspelt = otherSpelling(value, key);
  return {
    ...lost(phrase`it has ${shown(other)} but no ${shown(key)}`, []),
    hint:
      misspelt === undefined
        ? phrase`add ${shown(key)}; if this is not a Kubernetes object, ignore its file with --exclude`
        : phrase`did you mean ${shown(key)} in place of ${misspelt}?`,
  };
}

/** Returns a key that differs only in case. */
const otherSpelling = (value: ValueMap, wanted: string): string | undefined =>
  Object.keys(value).find((key) => key !== wanted && key.toLowerCase() === wanted.toLowerCase());

/** Fields that contain most of an object. */
const PARTS = ['metadata', 'spec', 'data', 'stringData', 'items'];
const VALUES = /values[^/]*\.(ya?ml|json)$/i;

/**
 * Values of a Helm chart and settings of tools may have a `kind`. A manifest without `apiVersion` has a name, or
 * another field that contains most of an object. Only objects have an `apiVersion`.
 */
function isSomethingElse(value: ValueMap, file: string): boolean {
  if (isToolFile(value, file)) return true;
  if (!Object.hasOwn(value, 'kind') || Object.hasOwn(value, 'apiVersion')) return false;
  if (TYPE_KEYS.some((key) => otherSpelling(value, key) !== undefined)) return false;
  const isNamed = typeof getAt(value, ['metadata', 'name']) === 'string';
  const hasPart = PARTS.some((key) => isMap(get(value, key)) || Array.isArray(get(value, key)));
  return VALUES.test(file) ? !isNamed : !hasPart;
}

const isSettings = (file: string): boolean => file === 'render-rgd.yaml';

/** A Helm chart has no kind. */
function isToolFile(value: ValueMap, file: string): boolean {
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
