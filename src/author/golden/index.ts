import { checkPolicies, placesWith } from '../../check/validate/index.ts';
import { type Comparison, compareVersions } from '../../compare/diff/index.ts';
import { type Reviewed, renderCompared, renderVersion, reviewAlone, type Version } from '../../compare/review/index.ts';
import {
  Collector,
  DIAGNOSTIC_FIELDS,
  type Diagnostic,
  hasErrors,
  isPending,
  type Report,
  shownTitleOf,
  trusted,
} from '../../core/diagnostics/index.ts';
import type { Entry, Outcome } from '../../core/ledger/index.ts';
import {
  type Document,
  groupKindOf,
  groupVersionKind,
  identityOf,
  isKubeObject,
  isPassthrough,
  type KubeObject,
  nameOf,
  namespaceOf,
  placeOfSource,
} from '../../core/model/object.ts';
import type { RenderInput, RenderOptions } from '../../core/model/render.ts';
import { equal, isMap, mapItems, setKey, type Value, type ValueMap } from '../../core/model/value.ts';
import { anyOf, fieldsOf, membersOf, type Secrecy, within } from '../../core/redaction/index.ts';
import { splitDocuments } from '../../core/text/documents.ts';
import type { CoverageCollector } from '../../describe/coverage/index.ts';
import { otherItems } from '../../kubernetes/items/index.ts';
import { memberSchema, type Schema } from '../../kubernetes/schema/index.ts';
import { textWithValue } from '../../yaml/edit/index.ts';
import { toYaml } from '../../yaml/emit/index.ts';
import { flattenObjects, objectsIn, readStream } from '../../yaml/parse/index.ts';

/** Golden tests of RGDs. */

export interface Ran {
  /** Empty after an error. */
  objects: Version['objects'];
  reports: readonly Report[];
  /** Objects that nothing renders: no RGD defines them, or the author leaves them to a controller. */
  unrendered: readonly Entry[];
}

export function renderForTest(
  input: RenderInput,
  options: RenderOptions & { all: boolean },
  collector: CoverageCollector | undefined,
): Ran {
  const { objects, reports, expansion, rendering } = renderVersion(input, options, collector?.onExpression);
  collector?.ran(expansion);
  const denials = new Collector();
  checkPolicies(input, options, rendering, denials);
  const partial = hasErrors(reports) ? partialObjects(input, options) : objects;
  return { objects: partial, reports: [...reports, ...denials], unrendered: unrenderedIn(input, reports) };
}

function unrenderedIn(input: RenderInput, reports: readonly Report[]): Entry[] {
  const places = placesWith('undefined-kind', reports);
  return objectsIn(input.objects).flatMap((one): Entry[] => {
    const { object, source } = one;
    const outcome = outcomeOf(object, places.has(placeOfSource(source)));
    if (outcome === undefined) return [];
    const kind = trusted.definition(groupKindOf(object));
    return [
      { unit: 'object', file: source?.file, document: source?.document, title: shownTitleOf(one), kind, outcome },
    ];
  });
}

function outcomeOf(object: KubeObject, isUndefined: boolean): Outcome | undefined {
  if (isPassthrough(object)) return { is: 'irrelevant', why: 'passed-through' };
  return isUndefined ? { is: 'unseen', why: 'no-definition' } : undefined;
}

/** Returns the objects of what has no error. */
const partialObjects = (input: RenderInput, options: RenderOptions & { all: boolean }): Version['objects'] =>
  renderCompared(input, options).units.flatMap((unit) => unit.objects);

/** Returns expected objects in the form of rendered ones. */
export const expectedObjects = (documents: readonly Document[], reports: Collector): Version['objects'] =>
  flattenObjects(documents, reports).map(({ object }) => reviewAlone(object));

/** What a test expects. Without diagnostics there must be no error, and warnings are ignored. */
export interface Expected {
  /** The rendered objects, in any order; undefined if they are not checked. */
  objects: Version['objects'] | undefined;
  /** Objects with only the relevant fields; others may exist too. */
  partial?: readonly KubeObject[] | undefined;
  /** Every error and warning, in any order, each by some of its fields. */
  diagnostics: readonly ExpectedDiagnostic[] | undefined;
}

/** Fields of a diagnostic as `--diagnostics json` prints it; absent fields match anything. */
export type ExpectedDiagnostic = Readonly<Record<string, string | number>>;

/** The differences from the expectation; none if the test passes. */
export interface Verdict {
  passed: boolean;
  /** The changed objects; undefined if there are none. */
  comparison: Comparison | undefined;
  unexpected: readonly Diagnostic[];
  /** Expected diagnostics that were not reported. */
  missing: readonly ExpectedDiagnostic[];
}

/** Compares the rendering of a package with the expectation. */
export function compareExpected(
  expected: Expected,
  actual: Version['objects'],
  diagnostics: readonly Diagnostic[],
): Verdict {
  const reported = diagnostics.filter(({ severity }) => severity !== 'info');
  const { unexpected, missing } =
    expected.diagnostics === undefined
      ? { unexpected: reported.filter((one) => one.severity === 'error' || isUnstated(one, actual)), missing: [] }
      : matched(expected.diagnostics, reported);
  const whole = expected.objects && compareVersions(expected.objects, actual);
  const parts = expected.partial && compareParts(expected.partial, actual);
  const differing = [whole, parts && compareVersions(parts.expected, parts.found)].filter(
    (one) => one !== undefined && one.changes.length > 0,
  );
  const [comparison] = differing;
  const passed = comparison === undefined && unexpected.length === 0 && missing.length === 0;
  return { passed, comparison, unexpected, missing };
}

/**
 * Reports whether a diagnostic is about a pending value that the expectation does not state: the placeholder of a value
 * is a part of an expected object.
 */
const isUnstated = ({ code, object, node }: Diagnostic, actual: Version['objects']): boolean =>
  isPending({ code }) &&
  code !== 'pending-reader' &&
  !actual.some(({ place }) => place?.node === node && place?.instance === object);

/** Matches each expectation with the first diagnostic, the most specific ones first. */
function matched(
  expected: readonly ExpectedDiagnostic[],
  reported: readonly Diagnostic[],
): Pick<Verdict, 'unexpected' | 'missing'> {
  const left = [...reported];
  const missing: ExpectedDiagnostic[] = [];
  const byDetail = [...expected].sort((a, b) => Object.keys(b).length - Object.keys(a).length);
  for (const one of byDetail) {
    const at = left.findIndex((diagnostic) => isPart(one, diagnostic));
    if (at < 0) missing.push(one);
    else left.splice(at, 1);
  }
  return { unexpected: left, missing };
}

/** Reports whether a diagnostic has each of the expected fields. */
function isPart(expected: ExpectedDiagnostic, diagnostic: Diagnostic): boolean {
  const fields = new Map<string, unknown>(Object.entries(diagnostic));
  return Object.entries(expected).every(([field, value]) => fields.get(field) === value);
}

/** Records what does not depend on the wording of a message, or on its line. */
export const expectationOf = ({ severity, code, object, node, field }: Diagnostic): ExpectedDiagnostic => ({
  severity,
  code,
  ...(object !== undefined && { object }),
  ...(node !== undefined && { node }),
  ...(field !== undefined && { field }),
});

export function readExpected(value: Value): ExpectedDiagnostic[] | { fault: string } {
  if (!Array.isArray(value)) return { fault: 'it must hold a list of diagnostics' };
  const read: ExpectedDiagnostic[] = [];
  for (const [index, one] of value.entries()) {
    if (!isMap(one)) return { fault: `item ${index} must be a map, such as {code: instance-type}` };
    const unknown = Object.keys(one).find((key) => !DIAGNOSTIC_FIELDS.some((field) => field === key));
    if (unknown !== undefined) {
      return { fault: `item ${index} has the field '${unknown}'; the fields are ${DIAGNOSTIC_FIELDS.join(', ')}` };
    }
    const wrong = Object.values(one).find((entry) => typeof entry !== 'string' && typeof entry !== 'bigint');
    if (wrong !== undefined) return { fault: `item ${index} has a value that is neither a text nor a number` };
    const texts = mapItems(one, (entry) => (typeof entry === 'bigint' ? Number(entry) : entry));
    read.push(texts as ExpectedDiagnostic);
  }
  return read;
}

export function readPartial(value: Value): KubeObject[] | { fault: string } {
  if (!Array.isArray(value)) return { fault: 'expected must be a list of objects' };
  const objects = value.filter((one): one is KubeObject => isKubeObject(one) && nameOf(one) !== '');
  return objects.length === value.length
    ? objects
    : { fault: 'each item of expected needs apiVersion, kind and metadata.name' };
}

/** Returns both sides of the comparison of partial objects: the expectation, and that part of the rendered objects. */
function compareParts(
  partial: readonly KubeObject[],
  actual: readonly Reviewed[],
): { expected: Reviewed[]; found: Reviewed[] } {
  const expected: Reviewed[] = [];
  const found: Reviewed[] = [];
  for (const part of partial) {
    const match = actual.find(({ object }) => isVersionOf(part, object));
    if (match === undefined) {
      expected.push(reviewAlone(part));
      continue;
    }
    // Its properties are computed when they are read.
    const { object, place, nameless, named, schema } = match;
    const { apiVersion, kind } = object;
    const namespace = namespaceOf(object);
    const identity = { name: nameOf(object), ...(namespace !== '' && { namespace }) };
    const metadata = { ...(isMap(part.metadata) ? part.metadata : {}), ...identity };
    const whole: KubeObject = { ...part, apiVersion, kind, metadata };
    const known = { place, nameless, named, schema, secrecy: spread(match.secrecy, object) };
    expected.push({ ...known, object: withoutNulls(whole) as KubeObject });
    found.push({ ...known, object: partOf(object, whole, schema) as KubeObject });
  }
  return { expected, found };
}

/** In a list whose items may move, any item is as secret as the most secret one. */
function spread(secrecy: Secrecy, value: Value): Secrecy {
  if (typeof secrecy === 'boolean') return secrecy;
  if (Array.isArray(value)) {
    return membersOf(anyOf(value.map((item, index) => spread(within(secrecy, [index]), item))));
  }
  if (!isMap(value)) return secrecy;
  const fields = Object.entries(value).map(([key, one]) => [key, spread(within(secrecy, [key]), one)]);
  return fieldsOf({ ...Object.fromEntries([...secrecy.fields]), ...Object.fromEntries(fields) }, secrecy.others);
}

function isVersionOf(part: KubeObject, object: KubeObject): boolean {
  const wanted = groupVersionKind(part);
  const given = groupVersionKind(object);
  if (wanted.kind !== given.kind || wanted.group !== given.group || nameOf(part) !== nameOf(object)) return false;
  return namespaceOf(part) === '' || namespaceOf(part) === namespaceOf(object);
}

/** Returns the part of a value that another one names. A field that is null there must be absent. */
function partOf(value: Value, named: Value, schema: Schema | undefined): Value {
  if (isMap(value) && isMap(named)) {
    const part: ValueMap = {};
    for (const key of Object.keys(named)) {
      if (!Object.hasOwn(value, key)) continue;
      setKey(part, key, partOf(value[key] as Value, named[key] as Value, memberSchema(schema, key)));
    }
    return part;
  }
  if (!Array.isArray(value) || !Array.isArray(named)) return value;
  const others = otherItems(named, value, schema);
  // Items without merge keys must be the whole list.
  if (others === undefined) return value;
  return named.flatMap((item, index) => {
    const other = others[index];
    return other === undefined ? [] : [partOf(other, item, schema?.items)];
  });
}

const withoutNulls = (value: Value): Value =>
  mapItems(value, (one, key) => (one === null && typeof key === 'string' ? undefined : withoutNulls(one)));

/** Edits changed parts in the text, with its order and comments; new objects come last. Other text is written again. */
export function rewriteExpected(text: string, objects: readonly KubeObject[]): string {
  const left = new Map(objects.map((object) => [identityOf(object), object]));
  const { documents, problems } = readStream(text);
  if (problems.length > 0) return toYaml([...objects]);
  const ranges = splitDocuments(text);
  // Each with the comments before it.
  const starts = documents.map(({ index }) => ranges[index]?.start ?? 0);
  const lines: string[] = [];
  for (const [index, { value }] of documents.entries()) {
    const object = isKubeObject(value) ? left.get(identityOf(value)) : undefined;
    if (object === undefined) continue;
    left.delete(identityOf(object));
    const part = text.slice(index === 0 ? 0 : starts[index], starts[index + 1] ?? text.length);
    lines.push(rewritten(part, value, object));
  }
  const added = [...left.values()].map((object) => toYaml([object]));
  const result = [...lines.map(endedLine), ...added].map(withoutMarker).join('---\n');
  return isSame(result, objects) ? result : toYaml([...objects]);
}

function rewritten(part: string, before: Value, after: KubeObject): string {
  if (equal(before, after)) return part;
  const body = withoutMarker(part);
  const edited = isKubeObject(before) ? textWithValue(body, before, after) : undefined;
  return edited !== undefined && isSame(edited, [after]) ? edited : toYaml([after]);
}

const endedLine = (text: string): string => (text.endsWith('\n') ? text : `${text}\n`);

/** Removes the `---` around a document. */
const withoutMarker = (text: string): string =>
  text.replace(/^---[ \t]*\r?\n/, '').replace(/(^|\n)---[ \t]*\r?\n?$/, '$1');

function isSame(text: string, objects: readonly KubeObject[]): boolean {
  const { documents, problems } = readStream(text);
  const byName = new Map(objects.map((object) => [identityOf(object), object]));
  return (
    problems.length === 0 &&
    documents.length === objects.length &&
    documents.every(
      ({ value }) => isKubeObject(value) && value.kind !== '' && equal(byName.get(identityOf(value)), value),
    )
  );
}
