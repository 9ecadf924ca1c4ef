import rgdSchema from '../../../data/rgd.schema.json';
import {
  Collector,
  type Problem,
  phrase,
  type Report,
  type Reporter,
  reportAgain,
  reporterFor,
} from '../../core/diagnostics/index.ts';
import { OBJECT_META } from '../../core/model/keys.ts';
import { labelValueFault, nameFault } from '../../core/model/names.ts';
import { type InputObject, type KubeObject, nameOf } from '../../core/model/object.ts';
import {
  get,
  getAt,
  isMap,
  listAt,
  mapOf,
  type Path,
  setKey,
  textAt,
  textOf,
  type Value,
  type ValueMap,
} from '../../core/model/value.ts';
import { type JsonPart, shapeProblems } from './shape.ts';

/** Alpha fields of a node of kro 0.10, which `checkAlphaFields` of kro/compile checks: the schema of an RGD lacks them. */
const ALPHA_FIELDS: Readonly<Record<string, JsonPart>> = {
  deletionPolicy: { type: 'string', isAlpha: true },
  externalFields: { items: { type: 'string' }, isAlpha: true },
};

/** A decoded RGD: the content of `spec`, with the paths for diagnostics. */
export interface Definition {
  input: InputObject;
  name: string;
  uid: string | undefined;
  group: string;
  version: string;
  kind: string;
  /** `spec.schema.plural` of kro 0.10; without it the plural is derived from the kind. */
  plural: string | undefined;
  namespaced: boolean;
  /** `spec.schema` as written: SimpleSchema spec, types, status, names and columns. */
  schema: ValueMap;
  nodes: readonly NodeDefinition[];
}

export interface NodeDefinition {
  id: string;
  path: Path;
  template: ValueMap | undefined;
  externalRef: ValueMap | undefined;
  /** The field with its object; those behind `externalRef` are of a Graph. */
  contentKey: 'template' | 'externalRef' | 'ref' | 'def' | 'patch' | 'graph';
  forEach: readonly { name: string; text: string; path: Path }[];
  includeWhen: readonly string[];
  readyWhen: readonly string[];
  /** `Delete` or `Orphaned`, as written. */
  deletionPolicy?: string;
  /** The fields of the template that another controller may take over, as written. */
  externalFields?: readonly string[];
}

/** Returns an optional value: `undefined` and null are the same. */
export const present = (value: Value | undefined): Value | undefined => (value === null ? undefined : value);

export const isRgd = (object: KubeObject): boolean =>
  object.apiVersion === 'kro.run/v1alpha1' && object.kind === 'ResourceGraphDefinition';

/** The fields of an RGD; the types in its ObjectMeta are checked when objects are read. */
const RGD: JsonPart = {
  properties: {
    apiVersion: { type: 'string' },
    kind: { type: 'string' },
    status: {},
    metadata: { properties: Object.fromEntries(OBJECT_META.map((name) => [name, {}])) },
    spec: withAlphaFields(rgdSchema.properties.spec),
  },
  required: ['spec'],
};

function withAlphaFields(spec: JsonPart): JsonPart {
  const resources = spec.properties?.resources;
  const items = { ...resources?.items, properties: { ...resources?.items?.properties, ...ALPHA_FIELDS } };
  return { ...spec, properties: { ...spec.properties, resources: { ...resources, items } } };
}

/** Checks the name and the uid, which become labels of every object. */
function checkMetadata({ object }: InputObject, reporter: Reporter): void {
  const report = (message: string, ...path: string[]): void =>
    reporter.report({ code: 'rgd-shape', message: phrase`${message}`, path: ['metadata', ...path] });
  const name = nameOf(object);
  const reason = nameFault({ group: 'kro.run', kind: 'ResourceGraphDefinition' }, name);
  if (name === '') report("the field 'name' is required");
  else if (reason !== undefined) report(`'${name}' is no name: ${reason}`, 'name');
  const uid = get(get(object, 'metadata'), 'uid');
  const uidReason = typeof uid === 'string' ? labelValueFault(uid) : undefined;
  if (uidReason !== undefined) report(`'${uid}' is no uid: ${uidReason}`, 'uid');
}

/** Decoded definitions by object, for programs that keep their definitions; both are immutable. */
const known = new WeakMap<KubeObject, { definition: Definition | undefined; reports: readonly Report[] }>();

/** Decodes an RGD. Returns `undefined` if its shape is invalid; errors are reported. */
export function readDefinition(input: InputObject, reports: Collector): Definition | undefined {
  const before = known.get(input.object);
  if (before === undefined) {
    const own = reports.part();
    const definition = readAnew(input, own);
    known.set(input.object, { definition, reports: own.all });
    return definition;
  }
  reportAgain(before.reports, input, reports);
  return before.definition && { ...before.definition, input };
}

function readAnew(input: InputObject, reports: Collector): Definition | undefined {
  const reporter = reporterFor(input, reports);
  for (const problem of shapeProblems(input.object, RGD)) reporter.report(problem, nodeAt(input.object, problem.path));
  checkMetadata(input, reporter);
  // Nodes are checked even if the shape is invalid, so that all errors are reported at once.
  const definition = decode(input, reporter);
  return reporter.failed() ? undefined : definition;
}

/** Returns what an RGD defines, as far as it can be decoded: nodes keep their indexes. */
export const decodeLeniently = (input: InputObject): Definition => decode(input, reporterFor(input, new Collector()));

function decode(input: InputObject, reporter: Reporter): Definition {
  const spec = get(input.object, 'spec');
  const nodes = listAt(spec, 'resources').map((resource, index) =>
    readNode(mapOf(resource), ['spec', 'resources', index], reporter),
  );
  const written = mapOf(get(spec, 'schema'));
  const schema: ValueMap = { ...written };
  for (const part of ['spec', 'types', 'status']) {
    const value = get(written, part);
    if (value === undefined) continue;
    setKey(
      schema,
      part,
      readAgain(value, ['spec', 'schema', part], (problem) => reporter.report(problem)),
    );
  }
  return {
    input,
    name: nameOf(input.object),
    uid: textAt(get(input.object, 'metadata') as ValueMap, 'uid') || undefined,
    group: textAt(schema, 'group') || 'kro.run',
    version: textAt(schema, 'apiVersion'),
    kind: textAt(schema, 'kind'),
    plural: textAt(schema, 'plural') || undefined,
    namespaced: textAt(schema, 'scope') !== 'Cluster',
    schema,
    nodes,
  };
}

function readNode(resource: ValueMap, path: Path, reporter: Reporter): NodeDefinition {
  const id = textAt(resource, 'id');
  const written = asMap(get(resource, 'template'));
  const template = written && readAgain(written, [...path, 'template'], (problem) => reporter.report(problem, id));
  const externalRef = asMap(get(resource, 'externalRef'));
  const forEach = readForEach(resource, path, id, reporter);
  if (externalRef !== undefined) checkExternalRef(externalRef, path, id, reporter);
  return {
    id,
    path,
    template,
    externalRef,
    contentKey: template === undefined ? 'externalRef' : 'template',
    forEach,
    includeWhen: listAt(resource, 'includeWhen').map(textOf),
    readyWhen: listAt(resource, 'readyWhen').map(textOf),
    ...alphaFieldsOf(resource),
  };
}

/** Returns the alpha fields of a node that are written. */
export function alphaFieldsOf(node: ValueMap): Pick<NodeDefinition, 'deletionPolicy' | 'externalFields'> {
  const [policy, fields] = [get(node, 'deletionPolicy') ?? null, get(node, 'externalFields') ?? null];
  return {
    ...(policy !== null && { deletionPolicy: textOf(policy) ?? '' }),
    ...(fields !== null && { externalFields: listAt(node, 'externalFields').map((field) => textOf(field) ?? '') }),
  };
}

function checkExternalRef(externalRef: ValueMap, path: Path, id: string, reporter: Reporter): void {
  const metadata = get(externalRef, 'metadata');
  if (!isMap(metadata)) return;
  const given = get(metadata, 'name') ?? '';
  const name = typeof given !== 'string' || given.trim() !== '';
  const selector = (get(metadata, 'selector') ?? null) !== null;
  // The schema of kro's CRD rejects an empty name; a blank one is not empty.
  const isEmpty = selector && get(metadata, 'name') === '';
  if (name !== selector && !isEmpty) return;
  const message = isEmpty
    ? phrase`the metadata.name beside the selector of an externalRef is empty: leave it out`
    : phrase`an externalRef has either a metadata.name or a metadata.selector`;
  reporter.report({ code: 'external-ref-shape', message, path: [...path, 'externalRef', 'metadata'] }, id);
}

function readForEach(resource: ValueMap, path: Path, id: string, reporter: Reporter): NodeDefinition['forEach'] {
  return listAt(resource, 'forEach').flatMap((entry, index) => {
    const at = [...path, 'forEach', index];
    if (!isMap(entry)) return [];
    const keys = Object.keys(entry);
    const [name] = keys;
    if (keys.length !== 1) {
      const message = phrase`each forEach entry is a map of exactly one iterator to its list`;
      reporter.report({ code: 'rgd-shape', message, path: at, hint: phrase`- region: \${schema.spec.regions}` }, id);
    }
    return name === undefined ? [] : [{ name, text: textAt(entry, name), path: [...at, name] }];
  });
}

const asMap = (value: Value | undefined): ValueMap | undefined => (isMap(value) ? value : undefined);

function nodeAt(object: ValueMap, path: Path): string | undefined {
  if (path[0] !== 'spec' || path[1] !== 'resources' || path.length < 3) return undefined;
  return textAt(getAt(object, path.slice(0, 3)), 'id') || undefined;
}

/** Next line, a line break of YAML 1.1 that JSON does not escape. */
const NEL = '\u0085';

/** Characters that YAML 1.1 rejects in a text and JSON does not escape. */
const CONTROL = /[\x7f-\x84\x86-\x9f\ufffe\uffff]/;
const MARKER = /\u0085(?:---|\.\.\.)[ \u0085]/;
const CONSPICUOUS = /[\x7f-\x9f\ufffe\uffff]/;

/**
 * Returns a template or schema as kro reads it: JSON that it reads as YAML (kro: rgResourceSpec in
 * pkg/graph/builder.go), so that U+0085 is a line break, which is folded, and other control characters are errors.
 */
export function readAgain<T extends Value>(value: T, path: Path, report: (problem: Problem) => void): T {
  let read: Value = value;
  if (typeof value === 'string') read = text(value, path, report);
  else if (isMap(value)) read = map(value, path, report);
  else if (Array.isArray(value)) {
    const items = value.map((item, index) => readAgain(item, [...path, index], report));
    if (items.some((item, index) => item !== value[index])) read = items;
  }
  return read as T;
}

function map(value: ValueMap, path: Path, report: (problem: Problem) => void): ValueMap {
  const read: ValueMap = {};
  let isSame = true;
  for (const key of Object.keys(value)) {
    const at = [...path, key];
    const known = text(key, at, report);
    if (key.includes(NEL)) report(fault('a key has no line break, which U+0085 is', at));
    const member = value[key] as Value;
    const found = readAgain(member, at, report);
    isSame &&= known === key && found === member;
    setKey(read, known, found);
  }
  return isSame ? value : read;
}

function text(written: string, path: Path, report: (problem: Problem) => void): string {
  if (!CONSPICUOUS.test(written)) return written;
  const [control] = CONTROL.exec(written) ?? [];
  if (control !== undefined) {
    const code = (control.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    report(fault(`the control character U+${code} is not allowed here`, path));
  }
  if (MARKER.test(written)) report(fault('U+0085 is a line break, and a line may not be a document marker', path));
  return written.replace(/(?<! ) *\u0085[ \u0085]*/g, (breaks) => folded(breaks.split(NEL).length - 1));
}

const fault = (reason: string, path: Path): Problem => ({
  code: 'control-character',
  message: phrase`${reason}: kro reads this part as YAML again`,
  path,
});

const folded = (breaks: number): string => (breaks === 1 ? ' ' : '\n'.repeat(breaks - 1));
