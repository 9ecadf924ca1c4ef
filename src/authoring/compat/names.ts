import { didYouMean } from '../../core/text/nearest.ts';

const BOUNDS = ['minimum', 'maximum', 'min-length', 'max-length', 'min-items', 'max-items'] as const;
const OTHERS = [
  ...(['format', 'multiple-of', 'unique-items', 'min-properties', 'max-properties', 'exclusive-minimum'] as const),
  ...(['exclusive-maximum', 'list-type', 'list-map-keys', 'map-type', 'int-or-string', 'embedded-resource'] as const),
] as const;

/** The names of all changes for `--allow`: those of an RGD, and those of a field of its schema. */
export const CHANGE_NAMES: readonly string[] = [
  ...['group', 'kind', 'name', 'plural', 'printer-columns', 'scope', 'version'].map((what) => `${what}-changed`),
  ...['kind-removed', 'default-changed', 'description-changed', 'type-changed'],
  ...['property-added', 'property-removed', 'required-property-added'],
  ...['required-added', 'required-removed', 'required-default-removed'],
  ...['enum-added', 'enum-expanded', 'enum-removed', 'enum-restricted'],
  ...['pattern-added', 'pattern-changed', 'pattern-removed', 'rule-added', 'rule-removed'],
  ...['nullable-removed', 'unknown-fields-pruned'],
  ...BOUNDS.flatMap((what) => ['added', 'decreased', 'increased', 'removed'].map((how) => `${what}-${how}`)),
  ...OTHERS.map((what) => `${what}-changed`),
].sort();

/** Returns the error of the name of an accepted change; undefined for a known one and for `*`. */
export function faultInName(name: string): string | undefined {
  if (name === '*' || CHANGE_NAMES.includes(name)) return undefined;
  const hint = didYouMean(name, CHANGE_NAMES, 1);
  return `no change is called '${name}'${hint === undefined ? '' : `; ${hint}`}`;
}
