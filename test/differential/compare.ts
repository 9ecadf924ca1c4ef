import { crds, type Diagnostic, type ObjectSource, render } from '../../src/api/index.ts';
import { parseJson } from '../../src/core/encoding/json.ts';
import type { KroVersion } from '../../src/core/model/render.ts';
import { isMap, type Value, type ValueMap } from '../../src/core/model/value.ts';
import { defaultRenderOptions } from '../../src/render/options/index.ts';
import type { GeneratedPackage } from './packages.ts';

/** The answer of the oracle; see tools/judge/request.go. */
export interface Verdict {
  id: string;
  /** The release of kro, if it is not the default. */
  kro?: KroVersion;
  stage?: string;
  error?: string;
  subject?: string;
  objects?: ValueMap[];
  /** The CRDs that kro generates, if requested. */
  crds?: ValueMap[];
  /** What each instance came to, if requested. */
  outcomes?: Outcome[];
}

/** What an instance came to. An error hides what comes after it. */
export interface Outcome {
  subject: string;
  stage?: string;
  error?: string;
  /** The pending nodes. */
  waits?: string[];
  applied?: ValueMap[];
  status?: ValueMap;
}

/** The result for a package: the stage that rejected it, or objects by identity. */
export interface Answer {
  stage: string;
  message: string;
  code?: string;
  /** By identity, in the order of application. */
  objects: ReadonlyMap<string, string>;
  /** The labels and annotations of the objects of Graphs, by identity, if both sides add the same. */
  marks?: ReadonlyMap<string, string>;
  /** The specs of the generated CRDs, by name. */
  crds?: ReadonlyMap<string, string>;
  /** The order is not comparable: objects of nested instances come later in a cluster. */
  unordered?: boolean;
  /** The keys of labels and annotations without a value in kro, those of nested instances included. */
  valueless?: ReadonlySet<string>;
  /** A rendered object was rejected, not one of the package. */
  ofRendered?: boolean;
}

export interface Disagreement {
  /** The stages that rejected the package, here and in kro; empty if it rendered. */
  stages: readonly [string, string];
  /** The code of the error here. */
  code?: string;
  /** The kind of disagreement without parts of the input, so that equal causes mostly have equal groups. */
  group: string;
  ours: string;
  theirs: string;
  /** What each instance came to in kro, if requested. */
  outcomes?: readonly Outcome[];
}

export function ours(
  { objects, observed, gates = [] }: GeneratedPackage,
  namespace = 'default',
  kro: KroVersion = defaultRenderOptions.kro,
  stage?: string,
): Answer {
  const { objects: rendered, diagnostics } = render(
    { objects: objects as ObjectSource[], observed: observed as ObjectSource[] },
    // kro's instance is in the cluster, so its owner references work.
    {
      strict: true,
      namespace,
      keepOwnerReferences: true,
      kro,
      experimental: kro === '0.9' ? [...gates] : ['graph', ...gates],
    },
  );
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  // This renderer reports all errors; kro reports the first one that is not pending.
  const certain = errors.filter((one) => !isAwaited(one));
  const error = certain.find((one) => isOfStage(one, stage)) ?? certain[0] ?? errors[0];
  if (error !== undefined)
    return {
      ...refusedBy(error),
      ofRendered:
        (error.stage === 'instance' && error.node !== undefined) ||
        (error.object?.startsWith('Graph/') === true && !objects.some(isNamed(error.object))),
    };
  const all = rendered as unknown as ValueMap[];
  return { stage: '', message: '', objects: byIdentity(all), marks: marksOf(all) };
}

/** Reports whether kro may report this error in that stage: an invalid rendered object may be an instance. */
const isOfStage = ({ stage, code }: Diagnostic, wanted: string | undefined): boolean =>
  stage === wanted || (wanted === 'instance' && isRefusedObject(code));

/** Adds the CRDs that are generated here, if the other side returned its own. */
function withCrds(mine: Answer, { objects, gates = [] }: GeneratedPackage, judged: Answer): Answer {
  if (mine.stage !== '' || judged.crds === undefined) return mine;
  return {
    ...mine,
    crds: specsOf(
      crds({ objects: objects as ObjectSource[] }, { strict: true, experimental: gates })
        .objects as unknown as ValueMap[],
    ),
  };
}

const specsOf = (generated: readonly ValueMap[]): Map<string, string> =>
  new Map(
    generated.map(({ metadata, spec }) => [
      String(isMap(metadata) && metadata.name),
      canonical(withoutNullDefaults(spec ?? null)),
    ]),
  );

/** An API server ignores `default: null`, so this renderer omits it; and it reads bounds as doubles. */
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

/** Reports whether kro keeps waiting: also for a value that the instance lacks, unless a condition reads it. */
const isAwaited = ({ stage, code, field }: Diagnostic): boolean =>
  stage === 'pending' || (code === 'missing-in-instance' && field?.includes('.includeWhen[') !== true);

/**
 * Compares a verdict with the rendering. kro reports the first rejected instance, this renderer reports all; so if both
 * reject, errors of other instances do not count.
 */
export function compared(input: GeneratedPackage, verdict: Verdict): Disagreement | undefined {
  const found = differenceTo(input, verdict);
  return found && verdict.outcomes !== undefined ? { ...found, outcomes: verdict.outcomes } : found;
}

function differenceTo(input: GeneratedPackage, verdict: Verdict): Disagreement | undefined {
  const judged = theirs(verdict, input);
  const mine = ours(input, undefined, verdict.kro);
  const alone = mine.stage === '' || judged.stage === '' ? input : withoutOtherInstances(input, verdict.subject);
  const rest = alone === input ? withCrds(mine, input, judged) : ours(alone, undefined, verdict.kro);
  // The nodes of a Graph, and the instances that it renders, have no order in which kro finds their errors.
  const isOfGraph = input.objects.some(({ kind }) => kind === 'Graph');
  const answer = isOfGraph && rest.stage !== '' ? ours(alone, undefined, verdict.kro, judged.stage) : rest;
  const found = disagreement(answer, judged);
  if (found?.group !== 'objects differ') return found;
  const keys = judged.valueless ?? new Set();
  const beside = disagreement(withoutNullMetadata(answer, keys), withoutNullMetadata(judged, keys));
  return beside ?? { ...found, group: NULL_METADATA };
}

/** The group of objects that differ only in labels and annotations without a value, and in copies of those. */
export const NULL_METADATA = 'labels or annotations without a value differ';

function withoutNullMetadata(answer: Answer, keys: ReadonlySet<string>): Answer {
  const objects = [...answer.objects].map(([key, text]): [string, string] => [
    key,
    canonical(withoutCopies(withoutNulls(parseJson(text) as ValueMap), keys)),
  ]);
  return { ...answer, objects: new Map(objects) };
}

const isNothing = (value: Value | undefined): boolean => value === null || value === '';

/** Returns the keys of labels and annotations without a value. */
function keysWithoutValue(objects: readonly ValueMap[]): Set<string> {
  const keys = new Set<string>();
  for (const { metadata } of objects) {
    for (const part of ['labels', 'annotations']) {
      const all = isMap(metadata) ? metadata[part] : undefined;
      for (const [key, value] of isMap(all) ? Object.entries(all) : []) if (isNothing(value)) keys.add(key);
    }
  }
  return keys;
}

/**
 * Returns the package without the labels and annotations that have no value in kro or are null, if it has any:
 * differences that disappear are due to them.
 */
export function withoutValueless(input: GeneratedPackage, verdict: Verdict): GeneratedPackage | undefined {
  const keys = keysWithoutValue(verdict.objects ?? []);
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

/** Removes the entries of maps that were copied from such labels. */
function withoutCopies<T extends Value>(value: T, keys: ReadonlySet<string>): T {
  if (Array.isArray(value)) return value.map((item) => withoutCopies(item, keys)) as T;
  if (!isMap(value)) return value;
  const kept = Object.entries(value).filter(([key, member]) => !keys.has(key) || !isNothing(member));
  return Object.fromEntries(kept.map(([key, member]) => [key, withoutCopies(member as Value, keys)])) as T;
}

function withoutOtherInstances(input: GeneratedPackage, subject: string | undefined): GeneratedPackage {
  const defined = instanceKinds(input.objects);
  const instances = input.objects.filter(({ apiVersion, kind }) => defined.has(`${apiVersion} ${kind}`));
  if (subject === undefined) return input;
  const isSubject = isNamed(subject);
  if (instances.length === 1 || !instances.some(isSubject)) return input;
  const others = instances.filter((one) => !isSubject(one));
  // References to them still find them.
  return {
    ...input,
    objects: input.objects.filter((one) => !others.includes(one)),
    observed: [...input.observed, ...others],
  };
}

/** Reports whether an object is called `Kind/name`. */
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
    const { subject = '' } = verdict;
    const mayBeRendered = (stage === 'instance' && subject !== '') || subject.startsWith('Graph/');
    const ofRendered = mayBeRendered && !objects.some(isNamed(subject));
    return { stage, message: verdict.error ?? '', objects: new Map(), ofRendered };
  }
  // Instances of RGDs, and Graphs, are objects in a cluster; here they are expanded.
  const nested = instanceKinds(objects);
  const all = verdict.objects ?? [];
  const applied = all.filter(({ apiVersion, kind }) => !nested.has(`${apiVersion} ${kind}`));
  return {
    stage: '',
    message: '',
    objects: byIdentity(applied),
    unordered: applied.length < all.length,
    valueless: keysWithoutValue(all),
    marks: marksOf(
      (verdict.outcomes ?? []).flatMap((one) => (one.subject.startsWith('Graph/') ? (one.applied ?? []) : [])),
    ),
    ...(verdict.crds === undefined ? {} : { crds: specsOf(verdict.crds) }),
  };
}

/** Returns the kinds that RGDs define, and Graph. */
const instanceKinds = (objects: GeneratedPackage['objects']): ReadonlySet<string> =>
  new Set([GRAPH, ...objects.filter(({ kind }) => kind === 'ResourceGraphDefinition').map(definedKind)]);

const GRAPH = 'kro.run/v1alpha1 Graph';

function definedKind({ spec }: GeneratedPackage['objects'][number]): string {
  const schema = isMap(spec) && isMap(spec.schema) ? spec.schema : {};
  return `${schema.group ?? 'kro.run'}/${schema.apiVersion} ${schema.kind}`;
}

export function byIdentity(objects: readonly ValueMap[]): Map<string, string> {
  return new Map(objects.map((object) => [identityOf(object), canonical(withoutMarks(object))]));
}

const marksOf = (objects: readonly ValueMap[]): Map<string, string> =>
  new Map(
    objects.map((object) => {
      const { labels, annotations } = withoutNulls(object).metadata as ValueMap;
      return [identityOf(object), canonical({ labels: labels ?? {}, annotations: annotations ?? {} })];
    }),
  );

function identityOf({ apiVersion, kind, metadata }: ValueMap): string {
  const { namespace = '', name } = isMap(metadata) ? metadata : {};
  return [apiVersion, kind, namespace, name].map(String).join(' ');
}

/** Removes the labels and annotations that either tool adds; an API server stores no empty ones. */
const withoutMarks = (object: ValueMap): ValueMap => keepingEntries(object, ([key]) => !isMark(key));

/**
 * Removes the labels and annotations without a value, which kro's engine returns as null or, in collections, as the
 * empty string that an API server stores.
 */
export const withoutNulls = (object: ValueMap): ValueMap => keepingEntries(object, ([, value]) => !isNothing(value));

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

/** Returns equal text for equal JSON: sorted keys, one form of each number. */
export function canonical(value: Value | undefined): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (isMap(value)) {
    const entries = Object.keys(value)
      .sort()
      .map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`);
    return `{${entries.join(',')}}`;
  }
  if (Object.is(value, -0)) return '-0';
  return typeof value === 'bigint' ? String(value) : JSON.stringify(value ?? null);
}

/** Treats rejections before the evaluation as one stage: the order of the checks is not specified. */
const classOf = (stage: string): string =>
  ['parse', 'compile', 'crd', 'instance'].includes(stage) ? 'refused' : stage;

/** Reports whether the code is for an object with an invalid name, namespace or labels. */
export const isRefusedObject = (code: string | undefined): boolean =>
  ['object-name', 'service-name', 'object-namespace', 'object-label'].includes(code ?? '');

export function disagreement(mine: Answer, judged: Answer): Disagreement | undefined {
  const [a, b] = [classOf(mine.stage), classOf(judged.stage)];
  if (a === b && a !== '') return undefined;
  // A missing value of the instance: kro waits without end, here it is an error.
  if (a === 'expand' && b === 'pending') return undefined;
  // kro finds duplicate identities of one collection when it expands it, and those of two nodes before it applies them.
  if (a === 'collision' && b === 'expand') return undefined;
  // The order of a collision and other errors is not specified either.
  const isCollision = b === 'expand' && /identity collision|duplicate identity/.test(judged.message);
  if (a !== '' && (b === 'collision' || isCollision)) return undefined;
  // Nor is the order of rejected rendered objects.
  if (isRefusedObject(mine.code) && judged.stage === 'instance') return undefined;
  // Nor is the order of a rejected rendered object and a failing or pending expression of another one.
  if (a === 'expand' && judged.ofRendered === true) return undefined;
  if (mine.ofRendered === true && ['expand', 'pending'].includes(b)) return undefined;
  // Nor is the order of a pending value and a failing condition: kro evaluates the condition first.
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
  for (const [key, marks] of judged.marks ?? []) {
    const own = mine.marks?.get(key);
    if (own !== marks && mine.objects.has(key)) {
      return { group: 'labels of a Graph differ', ours: own ?? 'nothing', theirs: `${key} ${marks}` };
    }
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

/** Returns a message without parts of the input. */
const gist = (message: string): string =>
  message
    .replace(/"[^"]*"|'[^']*'|`[^`]*`/g, '_')
    .replace(/\d+/g, '0')
    .split(/\n|: /)
    .slice(-2)
    .join(': ')
    .slice(0, 100);
