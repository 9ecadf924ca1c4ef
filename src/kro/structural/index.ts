import { format, type Problem, phrase, worded } from '../../core/diagnostics/index.ts';
import { entryFault, isLetterLabel, isProtectedGroup, nameFault } from '../../core/model/names.ts';
import { type KubeObject, nameOf } from '../../core/model/object.ts';
import { get, getAt, ownValue, type Path, type Value } from '../../core/model/value.ts';
import type { Schema } from '../../kubernetes/schema/index.ts';
import { compileRuleWalk, type RuleRunner, startVisit } from '../../kubernetes/validation/index.ts';
import { type Budget, createBudget } from '../../languages/cel/index.ts';
import type { Rules } from '../compile/rules.ts';
import { IMPLIED_DEFAULT, type InnerSchema, schemasIn } from '../simpleschema/index.ts';
import { costProblems } from './cost/index.ts';

const SCALARS: readonly unknown[] = ['string', 'integer', 'number', 'boolean'];

/** k8s.io/apiextensions-apiserver, ValidateListSetsAndMaps. */
function listFaults(schema: Schema): string[] {
  const { items } = schema;
  if (schema.type !== 'array' || items === undefined) return [];
  switch (schema['x-kubernetes-list-type']) {
    case 'set':
      return setFaults(items);
    case 'map':
      return mapFaults(items, schema['x-kubernetes-list-map-keys'] ?? []);
    default:
      return [];
  }
}

function setFaults(items: Schema): string[] {
  const isAtomicList = items.type === 'array' && [undefined, 'atomic'].includes(items['x-kubernetes-list-type']);
  if (isAtomicList || SCALARS.includes(items.type) || items['x-kubernetes-map-type'] === 'atomic') return [];
  return ['a set (uniqueItems=true, listType=set) holds scalars or plain lists: structs and maps cannot be told apart'];
}

function mapFaults(items: Schema, keys: readonly string[]): string[] {
  if (items.type !== 'object') return ['listType=map needs items that are structs'];
  if (keys.length === 0) return ['listType=map needs a listMapKey'];
  return keys.flatMap((key) => {
    const property = Object.hasOwn(items.properties ?? {}, key) ? ownValue(items.properties, key) : undefined;
    if (property === undefined) return `listMapKey=${key} is no field of the items`;
    if (!SCALARS.includes(property.type)) return `listMapKey=${key} must be a string, an integer, a float or a boolean`;
    const isGiven = items.required?.includes(key) || property.default !== undefined;
    return isGiven ? [] : `listMapKey=${key} must be required, or have a default: an item without it has no key`;
  });
}

/**
 * Returns what an API server would reject in the schema of a CRD, or in every instance (k8s.io/apiextensions-apiserver,
 * pkg/apis/apiextensions/validation and pkg/apiserver/schema). Paths are relative to `spec.schema`.
 */
export function checkSchema(instance: Schema, rules: Rules): Problem[] {
  const spec = instance.properties?.spec;
  if (spec === undefined) return [];
  const budget = createBudget();
  const known = new Set<string>();
  const problems = [
    ...[...schemasIn(spec, ['spec'])].flatMap((inner) => fieldProblems(inner, rules, budget)),
    ...costProblems(spec, ['spec'], (rule) => rules.checkedOf(rule)),
  ];
  return problems.filter(({ message, path }) => {
    const key = JSON.stringify([format(message), path]);
    return !known.has(key) && known.add(key);
  });
}

function fieldProblems(inner: InnerSchema, rules: Rules, budget: Budget): Problem[] {
  const { schema, path, uncorrelatable, inMap } = inner;
  const refused = (message: string, hint?: string): Problem => ({
    code: 'crd-refused',
    ...worded(message, hint),
    path,
  });
  const problems = [...listFaults(schema), ...boundFaults(schema)].map((message) => refused(message));
  const transition = schema['x-kubernetes-validations']?.find(rules.isTransition);
  if (transition !== undefined && uncorrelatable) {
    const message = `'${transition.rule}' compares with an earlier value, which does not exist in a list`;
    problems.push(refused(message, 'make the whole list immutable, or give it listType=map and a listMapKey'));
  }
  return inMap ? problems : [...problems, ...defaultProblems(inner, rules.ofDefaults, budget)];
}

/** Returns contradictory bounds: the API server (1.36) accepts such a CRD, and then rejects every instance. */
function boundFaults(schema: Schema): string[] {
  if (schema.type !== 'integer') return [];
  return (['minimum', 'maximum'] as const).flatMap((name) => {
    const bound = schema[name];
    if (bound === undefined) return [];
    if (typeof bound === 'number' && !Number.isInteger(bound))
      return [`${name}=${bound} is no whole number, and the field is an integer`];
    return Math.abs(Number(bound)) < TWO_TO_63 ? [] : [`${name}=${bound} is out of range for an integer of 64 bits`];
  });
}

/** An API server reads bounds as doubles and treats neither 2^63 nor -2^63 as an integer. */
const TWO_TO_63 = 2 ** 63;

/** The `{}` that kro adds is only a warning: instances that set the field work with kro's engine. */
function defaultProblems({ schema, path }: InnerSchema, runner: RuleRunner, budget: Budget): Problem[] {
  if (schema.default === undefined) return [];
  const walk = compileRuleWalk(schema, runner);
  if (walk === undefined) return [];
  const visit = startVisit(['default'], undefined, () => budget);
  walk(schema.default, visit);
  const [first] = visit.problems;
  if (first === undefined) return [];
  if (schema.default !== IMPLIED_DEFAULT) {
    return [{ code: 'schema-default', message: phrase`the default is rejected: ${first.message}`, path }];
  }
  const message = phrase`an API server rejects the default {} that follows from the members: ${first.message}`;
  const hint = phrase`add a default to the members that the rule reads, or guard the read with has()`;
  return [{ code: 'crd-refused', message, path, severity: 'warning', hint }];
}

const LABEL_FORM = 'lower case letters, digits and dashes, a letter first, at most 63';
const MAX_NAMES = 32;

export function nameProblems(crd: KubeObject): Problem[] {
  const problems: Problem[] = [];
  const report = (message: string, path: Path, hint?: string): void => {
    problems.push({ code: 'crd-refused', ...worded(message, hint), path });
  };
  const names = getAt(crd, ['spec', 'names']);
  const plural = String(get(names, 'plural'));
  if (!isLetterLabel(plural)) {
    report(
      `the plural '${plural}' is no name: ${LABEL_FORM}`,
      ['kind'],
      'kinds that are acronyms have odd plurals: set plural, or write Dns',
    );
  } else if (nameFault({ group: '', kind: '' }, nameOf(crd)) !== undefined) {
    report(`the name '${nameOf(crd)}' is longer than 253 characters`, ['group']);
  }
  if (String(get(names, 'listKind')).length > 63) {
    report('the kind has more than 59 characters, and its list would have more than 63', ['kind']);
  }
  for (const key of ['shortNames', 'categories']) {
    const list = get(names, key);
    if (!Array.isArray(list)) continue;
    // The RGD's own CRD has further limits (kro: api/v1alpha1/resourcegraphdefinition_types.go).
    if (list.length > MAX_NAMES) report(`there are more than ${MAX_NAMES} ${key}`, [key]);
    list.forEach((name, index) => {
      if (typeof name !== 'string' || !isLetterLabel(name)) {
        report(`'${String(name)}' is no name: ${LABEL_FORM}`, [key, index]);
      } else if (list.indexOf(name) < index) report(`'${name}' is a duplicate`, [key, index]);
    });
  }
  groupProblems(String(getAt(crd, ['spec', 'group'])), crd, report);
  metadataProblems(crd, report);
  columnProblems(getAt(crd, ['spec', 'versions', 0, 'additionalPrinterColumns']), report);
  return problems;
}

type ReportName = (message: string, path: Path, hint?: string) => void;

function groupProblems(group: string, crd: KubeObject, report: ReportName): void {
  if (!group.includes('.')) report(`the group '${group}' needs a dot: it is a domain`, ['group']);
  const approval = getAt(crd, ['metadata', 'annotations', 'api-approved.kubernetes.io']);
  if (!isProtectedGroup(group) || approval !== undefined) return;
  const hint = 'use your own domain, or set the annotation under metadata';
  report(`the group '${group}' is protected: it needs the annotation api-approved.kubernetes.io`, ['group'], hint);
}

function metadataProblems(crd: KubeObject, report: ReportName): void {
  for (const field of ['labels', 'annotations'] as const) {
    for (const [key, value] of Object.entries(getAt(crd, ['metadata', field]) ?? {})) {
      const fault = entryFault(field, key, String(value));
      if (fault !== undefined) report(`'${key}' of ${field}: ${fault}`, ['metadata', field, key]);
    }
  }
}

const COLUMN_TYPES = ['boolean', 'date', 'integer', 'number', 'string'];
const COLUMN_FORMATS = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'];

function columnProblems(columns: Value | undefined, report: ReportName): void {
  if (!Array.isArray(columns)) return;
  columns.forEach((column, index) => {
    const at = (key: string): Path => ['additionalPrinterColumns', index, key];
    const text = (key: string): string => String(get(column, key) ?? '');
    if (text('name') === '') report('a column needs a name', at('name'));
    if (!COLUMN_TYPES.includes(text('type'))) report(`the type is one of ${COLUMN_TYPES.join(', ')}`, at('type'));
    if (text('format') !== '' && !COLUMN_FORMATS.includes(text('format'))) {
      report(`the format is one of ${COLUMN_FORMATS.join(', ')}`, at('format'));
    }
    if (!text('jsonPath').startsWith('.')) report('a JSON path begins with a dot', at('jsonPath'));
  });
}
