import {
  type Collector,
  composeText,
  type Message,
  type Problem,
  phrase,
  quote,
  type RelatedLocation,
  reporterFor,
  type Severity,
  shown,
  type Text,
} from '../../core/diagnostics/index.ts';
import { getOrCompute } from '../../core/model/lazily.ts';
import { MAX_DENIALS } from '../../core/model/limits.ts';
import type { KubeObject } from '../../core/model/object.ts';
import { EACH, type Step } from '../../core/model/read.ts';
import { getAt, isMap, type Path, type Value } from '../../core/model/value.ts';
import { allReads, type CelValue, readsIn } from '../../languages/cel/index.ts';
import type { Decision, Denial, Missing, Skipped } from './evaluate.ts';
import type { Operation } from './match.ts';
import type { Expression, Policy } from './read.ts';

export type Denied = Extract<Decision, { denial: Denial }>;

const SEVERITIES: Readonly<Record<Denied['action'], Severity>> = { Deny: 'error', Warn: 'warning', Audit: 'info' };

const VERBS: Readonly<Record<Denied['action'], string>> = {
  Deny: 'is denied by',
  Warn: 'gets a warning of',
  Audit: 'is recorded in the audit log by',
};

export function problemOf(
  { action, policy, binding, denial, usesSecret }: Denied,
  title: Message,
  path: Path,
): Problem {
  const text = denialText({ policy, binding, denial, usesSecret });
  const related: RelatedLocation = {
    message: composeText`the policy ${policy.title}, bound by ${binding.title}`,
    source: policy.input.source,
    path: denial.expression?.path ?? ['metadata', 'name'],
  };
  return {
    code: 'policy-denied',
    message: phrase`${{ object: title }} ${shown(VERBS[action])} the policy '${{ policy: shown(policy.title) }}': ${{ reason: text }}`,
    path,
    severity: SEVERITIES[action],
    related: [related],
  };
}

/** Returns why a policy denies: with values of objects, with its own words only, or without those of a Secret. */
export function denialText({ policy, binding, denial, usesSecret }: Omit<Denied, 'action'>): Message {
  // The name of its parameter is in the message of a binding.
  if (policy.isSecret || binding.isSecret) return shown('its message is not shown: a Secret is involved');
  return usesSecret ? shown(denial.plain) : quote(denial.message, denial.plain);
}

/** Returns the field of the object that a denial is about: the deepest one that its expression reads. */
export function fieldOf({ policy, denial }: Denied, { object, oldObject }: Operation): Path {
  const { expression, denies } = denial;
  const root = object === undefined ? 'oldObject' : 'object';
  const paths = expression === undefined ? [] : pathsRead(expression, policy, root, new Set());
  const own = (object ?? oldObject) as KubeObject;
  const deniesWith = (at: Path, value: Value): boolean => denies?.(replaced(own, at, value) as CelValue) ?? false;
  return paths
    .map((path) => existing(own, path, deniesWith))
    .reduce((best, path) => (path.length > best.length ? path : best), []);
}

/** Returns the paths that an expression reads of a variable, including those that its variables read. */
function pathsRead(
  expression: Expression,
  policy: Policy,
  root: string,
  inside: ReadonlySet<string>,
): (readonly Step[])[] {
  return allReads(readsIn(expression.parsed.root)).flatMap((read) => {
    if (read.root === root) return [read.path];
    const [name] = read.path;
    if (read.root !== 'variables' || typeof name !== 'string' || inside.has(name)) return [];
    const variable = policy.variables.get(name);
    if (variable === undefined) return [];
    const found = pathsRead(variable, policy, root, new Set([...inside, name]));
    return found.map((path) => [...path, ...read.path.slice(1)]);
  });
}

/** Returns the part of a path that exists; of a list the first item that is denied alone. */
function existing(object: Value, path: readonly Step[], deniesWith: (at: Path, value: Value) => boolean): Path {
  const found: (string | number)[] = [];
  for (const step of path) {
    const list = getAt(object, found);
    const items = step === EACH && Array.isArray(list) ? list : [];
    const index = items.length === 1 ? 0 : items.findIndex((item) => deniesWith(found, [item]));
    const next = step === EACH ? index : step;
    if (next === -1 || getAt(object, [...found, next]) === undefined) break;
    found.push(next);
  }
  return found;
}

function replaced(value: Value | undefined, [step, ...rest]: Path, by: Value): Value {
  if (step === undefined) return by;
  const inner = replaced(getAt(value, [step]), rest, by);
  if (Array.isArray(value)) return value.map((item, index) => (index === step ? inner : item));
  return isMap(value) ? { ...value, [step]: inner } : inner;
}

const UNKNOWN: Readonly<Record<Missing, readonly [reason: string, hint: string]>> = {
  'a Secret': ['it reads a value of a Secret, which is unknown to an assistant', 'validate it on the command line'],
  authorizer: ['it asks the authorizer', 'only a cluster can decide it'],
  budget: [
    'the policies together take more evaluations or steps than the package may',
    'raise --max-steps, or check fewer objects at once',
  ],
  conversion: ['it reads another version of the object', 'match the version that is applied'],
  cost: ['its expressions take so many steps that an API server may stop them', 'simplify them'],
  'fields that the API server sets': ['it reads fields that only a cluster sets', 'only a cluster can decide it'],
  namespace: ['it reads the namespace', 'pass the Namespace with --observed, or add it to the package'],
  params: ['its parameters are not here', 'pass them with --observed, or put them beside the policy'],
  'request.options': ['it reads request.options', 'only a cluster can decide it'],
  'the user': ['it reads request.userInfo', 'pass --as USER, and --as-group GROUP for each group'],
};

/** The reasons that are about different parts of an object. */
const WITH_PATHS: ReadonlySet<Missing> = new Set(['a Secret', 'fields that the API server sets', 'namespace']);

/** Decisions of one policy that are reported together. */
interface Counted {
  policy: Policy;
  titles: Message[];
  count: number;
  last?: KubeObject;
  /** What the decisions depend on: `object.metadata.uid`. */
  paths?: Set<string>;
}

/** The paths that a report names. */
const MOST_PATHS = 3;

/** The objects that a report about many names. */
const MOST_TITLES = 3;

function addTo(counted: Counted, title: Message, object: KubeObject): void {
  if (counted.last === object) return;
  counted.last = object;
  counted.count += 1;
  if (counted.titles.length < MOST_TITLES) counted.titles.push(title);
}

/** Returns the names of the counted objects: the first ones, and how many others there are. */
function namesOf({ titles, count }: Counted): Message {
  const names = titles.reduce((list, title) => phrase`${list}, ${title}`);
  return count > titles.length ? phrase`${names} and ${shown(count - titles.length)} more` : names;
}

/** Counts decisions that were not made, and reports them once for each policy and reason. */
export class Undecided {
  readonly #found = new Map<Policy, Map<Missing, Counted>>();
  readonly #skipped = new Map<readonly Policy[], { titles: Message[]; count: number }>();

  /** Adds a decision about an object; those of several bindings follow each other, and count once. */
  add(
    { policy, undecided, paths }: Extract<Decision, { undecided: Missing }>,
    title: Message,
    object: KubeObject,
  ): void {
    const ofPolicy = getOrCompute(this.#found, policy, () => new Map<Missing, Counted>());
    const counted = getOrCompute(
      ofPolicy,
      undecided,
      (): Counted => ({ policy, titles: [], count: 0, paths: new Set() }),
    );
    addTo(counted, title, object);
    for (const path of paths) if ((counted.paths?.size ?? 0) < MOST_PATHS) counted.paths?.add(path);
  }

  /** Adds an object for which policies were not evaluated. */
  skip({ skipped }: Skipped, title: Message): void {
    const known = getOrCompute(this.#skipped, skipped, () => ({ titles: [] as Message[], count: 0 }));
    known.count += 1;
    if (known.titles.length < MOST_TITLES) known.titles.push(title);
  }

  report(reports: Collector): void {
    for (const [policies, { titles, count }] of this.#skipped) {
      for (const policy of policies) {
        const ofPolicy = getOrCompute(this.#found, policy, () => new Map<Missing, Counted>());
        const counted = getOrCompute(ofPolicy, 'budget', (): Counted => ({ policy, titles: [], count: 0 }));
        const room = Math.max(0, MOST_TITLES - counted.titles.length);
        for (const title of titles.slice(0, room)) counted.titles.push(title);
        counted.count += count;
      }
    }
    this.#skipped.clear();
    for (const ofPolicy of this.#found.values()) {
      for (const [missing, counted] of ofPolicy) reportUndecided(missing, counted, reports);
    }
  }
}

function reportUndecided(missing: Missing, counted: Counted, reports: Collector): void {
  const [words, hint] = UNKNOWN[missing];
  const { policy, paths = new Set() } = counted;
  // The words of other reasons name what is read.
  const reason = WITH_PATHS.has(missing) && paths.size > 0 ? `${words}: ${[...paths].join(', ')}` : words;
  reporterFor(policy.input, reports).report({
    code: 'policy-undecided',
    message: phrase`the policy '${{ policy: shown(policy.title) }}' is not decided for ${{ objects: namesOf(counted) }}: ${{ reason: shown(reason) }}`,
    path: ['metadata', 'name'],
    severity: 'info',
    hint: shown(hint),
  });
}

/** Limits the denials of each policy that are reported one by one, and reports the others together. */
export class Denials {
  readonly #found = new Map<Policy, { shown: number; others: Counted; severity: Severity }>();

  constructor(private readonly reports: Collector) {}

  /** Reports whether a denial is to be reported; otherwise it is counted. */
  takes({ policy, action }: Denied, title: Message, object: KubeObject): boolean {
    const ofPolicy = getOrCompute(this.#found, policy, () => ({
      shown: 0,
      others: { policy, titles: [], count: 0 } as Counted,
      severity: SEVERITIES[action],
    }));
    if (ofPolicy.shown < MAX_DENIALS && !this.reports.limitReached) {
      ofPolicy.shown += 1;
      return true;
    }
    if (SEVERITIES[action] === 'error') ofPolicy.severity = 'error';
    addTo(ofPolicy.others, title, object);
    return false;
  }

  report(): void {
    for (const [policy, { others, severity }] of this.#found) {
      if (others.count === 0) continue;
      const message = phrase`the policy '${{ policy: shown(policy.title) }}' also denies ${{ objects: namesOf(others) }}`;
      reporterFor(policy.input, this.reports).report({
        code: 'policy-denied',
        message,
        path: ['metadata', 'name'],
        severity,
        hint: phrase`fix the reported ones: then the others are reported`,
      });
    }
  }
}

export const withOrigin = (problem: Problem, origin: Text | undefined): Problem =>
  origin === undefined ? problem : { ...problem, message: phrase`${problem.message}, ${shown(origin)}` };
