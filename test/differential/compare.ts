import { type Diagnostic, type ObjectSource, render } from '../../src/api/index.ts';
import { isMap, type Value, type ValueMap } from '../../src/model/value.ts';
import type { GeneratedPackage } from './packages.ts';

/** What the judge answers; see tools/judge/request.go. */
export interface Verdict {
  id: string;
  stage?: string;
  error?: string;
  subject?: string;
  objects?: ValueMap[];
}

/** One answer on a package: a stage that refused it, or objects by identity. */
export interface Answer {
  stage: string;
  message: string;
  code?: string;
  /** By identity, in the order of application. */
  objects: ReadonlyMap<string, string>;
  /** The order says nothing: objects of nested instances come later in a cluster. */
  unordered?: boolean;
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
  return disagreement(alone === input ? mine : ours(alone), judged);
}

function withoutOtherInstances(input: GeneratedPackage, subject: string | undefined): GeneratedPackage {
  const defined = new Set(input.objects.filter(({ kind }) => kind === 'ResourceGraphDefinition').map(definedKind));
  const instances = input.objects.filter(({ apiVersion, kind }) => defined.has(`${apiVersion} ${kind}`));
  const isSubject = ({ kind, metadata }: GeneratedPackage['objects'][number]): boolean =>
    `${kind}/${isMap(metadata) && metadata.name}` === subject;
  if (instances.length === 1 || !instances.some(isSubject)) return input;
  return { ...input, objects: input.objects.filter((one) => !instances.includes(one) || isSubject(one)) };
}

export const refusedBy = (error: Diagnostic): Answer => ({
  stage: error.stage,
  code: error.code,
  message: `${error.code} ${error.node ?? ''} ${error.field ?? ''}: ${error.message}`,
  objects: new Map(),
});

export function theirs(verdict: Verdict, { objects }: GeneratedPackage): Answer {
  const stage = verdict.stage ?? '';
  if (stage !== '') return { stage, message: verdict.error ?? '', objects: new Map() };
  // Instances of RGDs are objects in a cluster; here they are expanded in their place.
  const nested = new Set(objects.filter((object) => object.kind === 'ResourceGraphDefinition').map(definedKind));
  const all = verdict.objects ?? [];
  const applied = all.filter(({ apiVersion, kind }) => !nested.has(`${apiVersion} ${kind}`));
  return { stage: '', message: '', objects: byIdentity(applied), unordered: applied.length < all.length };
}

function definedKind({ spec }: GeneratedPackage['objects'][number]): string {
  const schema = isMap(spec) && isMap(spec.schema) ? spec.schema : {};
  return `${schema.group ?? 'kro.run'}/${schema.apiVersion} ${schema.kind}`;
}

export function byIdentity(objects: readonly ValueMap[]): Map<string, string> {
  return new Map(
    objects.map((object) => {
      const metadata = isMap(object.metadata) ? object.metadata : {};
      const key = [object.apiVersion, object.kind, metadata.namespace ?? '', metadata.name].map(String).join(' ');
      return [key, canonical(withoutMarks(object))];
    }),
  );
}

/** Without the labels that either tool adds. */
function withoutMarks(object: ValueMap): ValueMap {
  const metadata = { ...(object.metadata as ValueMap) };
  for (const part of ['labels', 'annotations']) {
    const all = metadata[part];
    if (!isMap(all)) continue;
    const kept = Object.entries(all).filter(([key, value]) => !isMark(key) && value !== null);
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
  ['object-name', 'object-namespace', 'object-label'].includes(code ?? '');

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
