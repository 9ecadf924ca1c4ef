import { crds, type Diagnostic, type ObjectSource, render } from '../../src/api/index.ts';
import { parseJson } from '../../src/core/encoding/json.ts';
import { isMap, type Value, type ValueMap } from '../../src/core/model/value.ts';
import type { GeneratedPackage } from './packages.ts';

/** What the judge answers; see tools/judge/request.go. */
export interface Verdict {
  id: string;
  stage?: string;
  error?: string;
  subject?: string;
  objects?: ValueMap[];
  /** The CRDs that kro generates, where they were asked for. */
  crds?: ValueMap[];
}

/** One answer on a package: a stage that refused it, or objects by identity. */
export interface Answer {
  stage: string;
  message: string;
  code?: string;
  /** By identity, in the order of application. */
  objects: ReadonlyMap<string, string>;
  /** The specs of the generated CRDs, by name. */
  crds?: ReadonlyMap<string, string>;
  /** The order says nothing: objects of nested instances come later in a cluster. */
  unordered?: boolean;
  /** An API server refused an object that was rendered, not one of the package. */
  ofRendered?: boolean;
}

export interface Disagreement {
  /** The stages that refused the package, here and there; empty where it was rendered. */
  stages: readonly [string, string];
  /** The code of the error here. */
  code?: string;
  /** What kind of disagreement it is, without anything of the input: equal for equal causes, mostly. */
  group: string;
  ours: string;
  theirs: string;
}

export function ours({ objects, observed }: GeneratedPackage, namespace = 'default'): Answer {
  const { objects: rendered, diagnostics } = render(
    { objects: objects as ObjectSource[], observed: observed as ObjectSource[] },
    { strict: true, namespace },
  );
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  // All errors are told here, kro tells the first one that it does not wait for.
  const error = errors.find((one) => !isAwaited(one)) ?? errors[0];
  if (error !== undefined) return refusedBy(error);
  return { stage: '', message: '', objects: byIdentity(rendered as unknown as ValueMap[]) };
}

/** The same with the CRDs that are generated here, where the other side tells its own. */
function withCrds(mine: Answer, { objects }: GeneratedPackage, judged: Answer): Answer {
  if (mine.stage !== '' || judged.crds === undefined) return mine;
  return { ...mine, crds: specsOf(crds({ objects: objects as ObjectSource[] }).objects as unknown as ValueMap[]) };
}

const specsOf = (generated: readonly ValueMap[]): Map<string, string> =>
  new Map(
    generated.map(({ metadata, spec }) => [
      String(isMap(metadata) && metadata.name),
      canonical(withoutNullDefaults(spec ?? null)),
    ]),
  );

/** An API server reads `default: null` as no default, so here none is written; and bounds as doubles. */
function withoutNullDefaults(value: Value): Value {
  if (Array.isArray(value)) return value.map(withoutNullDefaults);
  if (!isMap(value)) return value;
  const kept = Object.entries(value).filter(([key, member]) => key !== 'default' || member !== null);
  return Object.fromEntries(
    kept.map(([key, member]) => [
      key,
      /^m(?:in|ax)imum$/.test(key) && typeof member === 'bigint'
        ? Number(member)
        : withoutNullDefaults(member as Value),
    ]),
  );
}

/** Whether kro waits and goes on: so it does for a value that the instance lacks too, but not where a condition reads it. */
const isAwaited = ({ stage, code, field }: Diagnostic): boolean =>
  stage === 'pending' || (code === 'missing-in-instance' && field?.includes('.includeWhen[') !== true);

/**
 * What a verdict says of a package, beside what is rendered here. kro tells the first instance that it refuses, here all
 * are told; so where both refuse, what is wrong with other instances does not count.
 */
export function compared(input: GeneratedPackage, verdict: Verdict): Disagreement | undefined {
  const judged = theirs(verdict, input);
  const mine = ours(input);
  const alone = mine.stage === '' || judged.stage === '' ? input : withoutOtherInstances(input, verdict.subject);
  const answer = alone === input ? withCrds(mine, input, judged) : ours(alone);
  const found = disagreement(answer, judged);
  if (found?.group !== 'objects differ') return found;
  const keys = keysWithoutValue(judged);
  const beside = disagreement(withoutNullMetadata(answer, keys), withoutNullMetadata(judged, keys));
  return beside ?? { ...found, group: NULL_METADATA };
}

/** The group of objects that differ in labels and annotations without a value, and in copies of those, and in nothing else. */
export const NULL_METADATA = 'labels or annotations without a value differ';

function withoutNullMetadata(answer: Answer, keys: ReadonlySet<string>): Answer {
  const objects = [...answer.objects].map(([key, text]): [string, string] => [
    key,
    canonical(withoutCopies(withoutNulls(parseJson(text) as ValueMap), keys)),
  ]);
  return { ...answer, objects: new Map(objects) };
}

const isNothing = (value: Value | undefined): boolean => value === null || value === '';

/** The keys of labels and annotations that kro gave no value. */
function keysWithoutValue({ objects }: Answer): Set<string> {
  const keys = new Set<string>();
  for (const text of objects.values()) {
    const { metadata } = parseJson(text) as ValueMap;
    for (const part of ['labels', 'annotations']) {
      const all = isMap(metadata) ? metadata[part] : undefined;
      for (const [key, value] of isMap(all) ? Object.entries(all) : []) if (isNothing(value)) keys.add(key);
    }
  }
  return keys;
}

/**
 * The same package whose templates lack the labels and annotations that kro gave no value, and whose other objects lack
 * those that are null, where it has any: what differs only with them comes from them, however an expression used them.
 */
export function withoutValueless(input: GeneratedPackage, verdict: Verdict): GeneratedPackage | undefined {
  const keys = keysWithoutValue(theirs(verdict, input));
  let count = 0;
  const without = (value: Value, path: readonly string[]): Value => {
    if (Array.isArray(value)) return value.map((item) => without(item, path));
    if (!isMap(value)) return value;
    const isMetadata = path.at(-2) === 'metadata' && ['labels', 'annotations'].includes(path.at(-1) ?? '');
    const kept = Object.entries(value).filter(
      ([key, member]) => !(isMetadata && keys.has(key) && (isNothing(member) || String(member).includes('${'))),
    );
    count += Object.keys(value).length - kept.length;
    return Object.fromEntries(kept.map(([key, member]) => [key, without(member as Value, [...path, key])]));
  };
  const objects = input.objects.map((one) => {
    if (one.kind === 'ResourceGraphDefinition') return without(one, []);
    const kept = keepingEntries(one, ([, value]) => value !== null);
    if (canonical(kept) !== canonical(one)) count += 1;
    return kept;
  });
  return count === 0 ? undefined : { ...input, objects: objects as GeneratedPackage['objects'] };
}

/** Without the entries of maps that were copied from such labels. */
function withoutCopies<T extends Value>(value: T, keys: ReadonlySet<string>): T {
  if (Array.isArray(value)) return value.map((item) => withoutCopies(item, keys)) as T;
  if (!isMap(value)) return value;
  const kept = Object.entries(value).filter(([key, member]) => !keys.has(key) || !isNothing(member));
  return Object.fromEntries(kept.map(([key, member]) => [key, withoutCopies(member as Value, keys)])) as T;
}

function withoutOtherInstances(input: GeneratedPackage, subject: string | undefined): GeneratedPackage {
  const defined = new Set(input.objects.filter(({ kind }) => kind === 'ResourceGraphDefinition').map(definedKind));
  const instances = input.objects.filter(({ apiVersion, kind }) => defined.has(`${apiVersion} ${kind}`));
  if (subject === undefined) return input;
  const isSubject = isNamed(subject);
  if (instances.length === 1 || !instances.some(isSubject)) return input;
  return { ...input, objects: input.objects.filter((one) => !instances.includes(one) || isSubject(one)) };
}

/** Whether an object is the one that is called `Kind/name`. */
const isNamed =
  (subject: string) =>
  ({ kind, metadata }: GeneratedPackage['objects'][number]): boolean =>
    `${kind}/${isMap(metadata) && metadata.name}` === subject;

export const refusedBy = (error: Diagnostic): Answer => ({
  stage: error.stage,
  code: error.code,
  message: `${error.code} ${error.node ?? ''} ${error.field ?? ''}: ${error.message}`,
  objects: new Map(),
});

export function theirs(verdict: Verdict, { objects }: GeneratedPackage): Answer {
  const stage = verdict.stage ?? '';
  if (stage !== '') {
    const ofRendered = stage === 'instance' && verdict.subject !== undefined && !objects.some(isNamed(verdict.subject));
    return { stage, message: verdict.error ?? '', objects: new Map(), ofRendered };
  }
  // Instances of RGDs are objects in a cluster; here they are expanded in their place.
  const nested = new Set(objects.filter((object) => object.kind === 'ResourceGraphDefinition').map(definedKind));
  const all = verdict.objects ?? [];
  const applied = all.filter(({ apiVersion, kind }) => !nested.has(`${apiVersion} ${kind}`));
  return {
    stage: '',
    message: '',
    objects: byIdentity(applied),
    unordered: applied.length < all.length,
    ...(verdict.crds === undefined ? {} : { crds: specsOf(verdict.crds) }),
  };
}

function definedKind({ spec }: GeneratedPackage['objects'][number]): string {
  const schema = isMap(spec) && isMap(spec.schema) ? spec.schema : {};
  return `${schema.group ?? 'kro.run'}/${schema.apiVersion} ${schema.kind}`;
}

export function byIdentity(objects: readonly ValueMap[]): Map<string, string> {
  return new Map(objects.map((object) => [identityOf(object), canonical(withoutMarks(object))]));
}

function identityOf({ apiVersion, kind, metadata }: ValueMap): string {
  const { namespace = '', name } = isMap(metadata) ? metadata : {};
  return [apiVersion, kind, namespace, name].map(String).join(' ');
}

/** Without the labels and annotations that either tool adds; an API server keeps no empty ones. */
const withoutMarks = (object: ValueMap): ValueMap => keepingEntries(object, ([key]) => !isMark(key));

/** Without the labels and annotations that have no value, which kro's engine gives as null or, in
 * collections, as the empty text that an API server stores. */
const withoutNulls = (object: ValueMap): ValueMap => keepingEntries(object, ([, value]) => !isNothing(value));

function keepingEntries(object: ValueMap, isKept: (entry: [string, Value]) => boolean): ValueMap {
  const metadata = { ...(object.metadata as ValueMap) };
  for (const part of ['labels', 'annotations']) {
    const all = metadata[part];
    if (all === undefined || (all === null && isKept([part, all]))) continue;
    const kept = isMap(all) ? Object.entries(all).filter(isKept) : [];
    if (kept.length === 0) delete metadata[part];
    else metadata[part] = Object.fromEntries(kept);
  }
  return { ...object, metadata };
}

const isMark = (key: string): boolean =>
  /^(?:(?:internal\.)?kro\.run|applyset\.kubernetes\.io|render-rgd\.dev)\//.test(key) ||
  key === 'app.kubernetes.io/managed-by';

/** Text that is equal for equal JSON: sorted keys, one form of each number. */
export function canonical(value: Value | undefined): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (isMap(value)) {
    const entries = Object.keys(value)
      .sort()
      .map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`);
    return `{${entries.join(',')}}`;
  }
  return typeof value === 'bigint' ? String(value) : JSON.stringify(value ?? null);
}

/** Refusals before anything is evaluated count as one: which check comes first is no promise. */
const classOf = (stage: string): string =>
  ['parse', 'compile', 'crd', 'instance'].includes(stage) ? 'refused' : stage;

/** Whether rendering refuses an object whose name, namespace or labels an API server would not take. */
export const isRefusedObject = (code: string | undefined): boolean =>
  ['object-name', 'service-name', 'object-namespace', 'object-label'].includes(code ?? '');

export function disagreement(mine: Answer, judged: Answer): Disagreement | undefined {
  const [a, b] = [classOf(mine.stage), classOf(judged.stage)];
  if (a === b && a !== '') return undefined;
  // A missing value of the instance: kro waits for ever, here it is an error.
  if (a === 'expand' && b === 'pending') return undefined;
  // kro finds objects of one identity within an RGD too, when it expands.
  if (a === 'collision' && b === 'expand') return undefined;
  // Which comes first of a collision and anything else that is wrong is no promise either.
  if (a !== '' && b === 'expand' && judged.message.includes('identity collision')) return undefined;
  // Nor which comes first of what an API server refuses of rendered objects.
  if (isRefusedObject(mine.code) && judged.stage === 'instance') return undefined;
  // Nor which comes first of such an object and an expression of another one that fails.
  if (a === 'expand' && judged.ofRendered === true) return undefined;
  // Nor which comes first of a value that is awaited and a condition that fails: kro asks the condition first.
  if (a === 'pending' && b === 'expand' && judged.message.startsWith('includeWhen')) return undefined;
  const stages: [string, string] = [a, b];
  if (a === '' && b === '') {
    const found = differing(mine, judged);
    return found && { stages, ...found };
  }
  return {
    stages,
    ...(mine.code === undefined ? {} : { code: mine.code }),
    group: `${a || 'ok'} / ${b || 'ok'}: ${mine.code ?? gist(judged.message)}`,
    ours: mine.message || 'ok',
    theirs: judged.message || 'ok',
  };
}

function differing(mine: Answer, judged: Answer): Omit<Disagreement, 'stages'> | undefined {
  for (const [key, object] of judged.objects) {
    const own = mine.objects.get(key);
    if (own === object) continue;
    const group = own === undefined ? 'an object is missing here' : 'objects differ';
    return { group, ours: own ?? 'nothing', theirs: `${key} ${object}` };
  }
  for (const [key, object] of mine.objects) {
    if (!judged.objects.has(key)) {
      return { group: 'an object is missing there', ours: `${key} ${object}`, theirs: 'nothing' };
    }
  }
  for (const [name, spec] of judged.crds ?? []) {
    const own = mine.crds?.get(name);
    if (own !== spec) return { group: 'CRDs differ', ours: own ?? 'nothing', theirs: `${name} ${spec}` };
  }
  const [here, there] = [mine, judged].map(({ objects }) => [...objects.keys()].join(', '));
  if (here === there || here === undefined || there === undefined || judged.unordered === true) return undefined;
  return { group: 'the order differs', ours: here, theirs: there };
}

/** A message without what comes from the input. */
const gist = (message: string): string =>
  message
    .replace(/"[^"]*"|'[^']*'|`[^`]*`/g, '_')
    .replace(/\d+/g, '0')
    .split(/\n|: /)
    .slice(-2)
    .join(': ')
    .slice(0, 100);
