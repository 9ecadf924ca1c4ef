import {
  advise,
  Collector,
  composeText,
  isError,
  type Message,
  nothingFound,
  phrase,
  type Report,
  type Severity,
  shown,
  toReport,
} from '../../core/diagnostics/index.ts';
import { identityOf } from '../../core/model/object.ts';
import type { KroVersion, RenderInput, RenderOptions } from '../../core/model/render.ts';
import { equal, formatPath, getAt, isMap, ownValue, type Path, type Value } from '../../core/model/value.ts';
import type { CompiledExpression } from '../../kro/compile/index.ts';
import {
  computeStatus,
  type InstanceRun,
  mayBeShown,
  type NodeState,
  nodeReport,
  nodeRun,
  titleOfRun,
  withNested,
} from '../../kro/expand/index.ts';
import { kro } from '../../kro/front-end.ts';
import { RULES, type RuleName, rulesBetween } from '../../kro/semantics.ts';
import { objectMetaSchema, type Schema, schemaAt } from '../../kubernetes/schema/index.ts';
import { createBudget, EvaluationError } from '../../languages/cel/index.ts';
import { renderWithSessions } from '../../render/pipeline.ts';
import { withoutEarlier } from '../../render/rerender/index.ts';

/** A rendering by one release of kro: the runs of all instances, and the RGDs that it rejects. */
interface Seen {
  version: KroVersion;
  rgds: number;
  runs: ReadonlyMap<string, InstanceRun>;
  reports: readonly Report[];
}

type Result = 'rendered' | 'omitted' | 'pending' | 'an error';

/** One difference between two releases; `of` and `node` say where. */
interface Difference {
  was: string;
  is: string;
  severity: Severity;
  run?: InstanceRun;
  node?: number;
  path?: Path;
  /** The error of an RGD that one of them rejects. */
  report?: Report;
}

/**
 * Reports what another release of kro does differently with a package, and the rule that has the same effect alone.
 * Errors of both are reported too: they hide differences. Differences that an `older` version has too are omitted.
 */
export function compareSemantics(
  input: RenderInput,
  options: RenderOptions,
  older?: RenderInput,
): { reports: readonly Report[] } {
  const [first, next] = ['0.9', options.kro] as const;
  const read = withoutEarlier(input);
  const before = seenWith(read, { ...options, kro: first });
  const after = seenWith(read, options);
  const found = differencesOf(before, after);
  if (older !== undefined) {
    const [was, is] = [first, next].map((release) => seenWith(withoutEarlier(older), { ...options, kro: release }));
    for (const [key, one] of differencesOf(was as Seen, is as Seen))
      if (found.get(key)?.is === one.is) found.delete(key);
  }
  const rules = found.size === 0 ? [] : rulesBetween(first, next);
  const causes = rules.map((rule) => {
    const alone = seenWith(read, { ...options, kro: first, kroRules: [rule] });
    return { rule, alone: differencesOf(before, alone) };
  });
  const reports = new Collector();
  for (const report of before.reports) {
    if (isError(report) && !isOfValue(report)) reports.add(report);
  }
  if (before.rgds === 0 && !reports.hasErrors) reports.add(nothingFound(composeText`there is no RGD`));
  for (const [key, one] of found) {
    const cause =
      causes.find(({ alone }) => alone.get(key)?.is === one.is) ?? causes.find(({ alone }) => alone.has(key));
    reports.add(reportOf(one, cause?.rule, before, after));
  }
  return { reports: reports.all };
}

/** A value that is missing or pending says nothing of a release: what it becomes is compared. */
export const isOfValue = ({ code }: Report): boolean =>
  ['pending-value', 'pending-reference', 'pending-reader', 'missing-in-instance', 'evaluation'].includes(code);

function seenWith(input: RenderInput, options: RenderOptions): Seen {
  const rendering = renderWithSessions(input, { ...options, comparesReleases: true, waitsForInstance: true });
  const expansion = rendering.of(kro)?.expansion;
  const all = (expansion?.runs ?? []).flatMap(withNested);
  const runs = new Map(all.map((run) => [identityOf(run.instance), run]));
  const rgds = rendering.of(kro)?.graphs.size ?? 0;
  return { version: options.kro, rgds, runs, reports: rendering.reports };
}

function differencesOf(before: Seen, after: Seen): Map<string, Difference> {
  const found = new Map<string, Difference>();
  const known = new Set(before.reports.filter(isError).map(keyOf));
  for (const report of after.reports) {
    if (!isError(report) || isOfValue(report) || known.has(keyOf(report))) continue;
    found.set(keyOf(report), { was: 'accepted', is: 'rejected', severity: 'error', report });
  }
  for (const [key, run] of before.runs) {
    const other = after.runs.get(key);
    if (other !== undefined) for (const [at, one] of compareRuns(run, other)) found.set(`${key} ${at}`, one);
    else if (run.parent === undefined) {
      found.set(key, { was: 'rendered', is: 'not rendered', severity: 'error', run });
    }
  }
  return found;
}

const keyOf = ({ code, path, object }: Report): string => [code, object, ...path].join('\0');

function* compareRuns(run: InstanceRun, other: InstanceRun): Iterable<[string, Difference]> {
  yield* compareStatus(run, other);
  for (const { index, id, dependencies } of run.graph.nodes) {
    const was = resultOf(run, index);
    const is = resultOf(other, index);
    const follows = dependencies.some((read) => resultOf(other, read) === is && resultOf(run, read) !== is);
    if (was !== is && follows && is !== 'rendered') continue;
    if (was !== is) yield [id, { was, is, severity: severityOf(was, is), run: other, node: index }];
    else if (!equal(objectsOf(run, index), objectsOf(other, index)))
      yield [id, { was, is: 'rendered differently', severity: 'error', run: other, node: index }];
  }
}

function* compareStatus(run: InstanceRun, other: InstanceRun): Iterable<[string, Difference]> {
  // An error ends the run of an instance in kro: what nodes and the status would be after it says nothing.
  if ([run, other].every(({ states }) => states.includes('failed'))) return;
  const old = computeStatus(run);
  const newer = computeStatus(other);
  if (old.hasFailed !== newer.hasFailed) {
    const resultAs = ({ hasFailed }: typeof old): Result => (hasFailed ? 'an error' : 'rendered');
    const was = resultAs(old);
    const is = resultAs(newer);
    yield ['status', { was, is, severity: severityOf(was, is), run: other, path: [] }];
  }
  for (const [path, was, is] of changedFields(old.fields ?? {}, newer.fields ?? {}, [])) {
    const had = was === undefined ? 'absent' : 'written';
    const has = is === undefined ? 'absent' : 'written';
    const now = had === has ? 'another value' : has;
    yield [`status ${path.join('.')}`, { was: had, is: now, severity: 'warning', run: other, path }];
  }
}

const RESULTS: Readonly<Partial<Record<NodeState, Result>>> = {
  done: 'rendered',
  skipped: 'omitted',
  failed: 'an error',
};
const resultOf = ({ states }: InstanceRun, node: number): Result => RESULTS[states[node] as NodeState] ?? 'pending';

const severityOf = (was: Result, is: Result): Severity => {
  const stops = (one: Result): boolean => one === 'an error' || one === 'pending';
  if (is === 'an error' || !stops(was)) return 'error';
  return stops(is) ? 'warning' : 'info';
};

const objectsOf = (run: InstanceRun, node: number): Value =>
  (run.rendered[node] ?? []).map(({ object, nested }) => object ?? nested?.instance ?? null);

function changedFields(
  was: Value | undefined,
  is: Value | undefined,
  path: Path,
): [path: Path, was: Value | undefined, is: Value | undefined][] {
  if (was !== undefined && is !== undefined && equal(was, is)) return [];
  const isInside = (one: Value | undefined): boolean => isMap(one) || (one === undefined && path.length > 0);
  if (!(isMap(was) || isMap(is)) || !isInside(was) || !isInside(is)) return [[path, was, is]];
  const keys = new Set([...Object.keys(was ?? {}), ...Object.keys(is ?? {})]);
  return [...keys].flatMap((key) =>
    changedFields(isMap(was) ? ownValue(was, key) : undefined, isMap(is) ? ownValue(is, key) : undefined, [
      ...path,
      key,
    ]),
  );
}

function reportOf(one: Difference, rule: RuleName | undefined, before: Seen, after: Seen): Report {
  const { was, is, severity, run, node, path, report } = one;
  const because = shown(rule === undefined ? 'several rules of the release together' : RULES[rule].what);
  const general = rule === undefined ? {} : { hint: shown(RULES[rule].rewrite) };
  const about = (what: Message): Message => phrase`kro ${{ version: shown(after.version) }}: ${what} (${because})`;
  if (report !== undefined) {
    const message = about(phrase`rejected: ${{ reason: shown(report.message) }}`);
    return { ...report, ...toReport({ code: 'upgrade-change', message, path: report.path, severity, ...general }) };
  }
  const at = run as InstanceRun;
  if (node !== undefined) {
    const place = rule && culpritOf(rule, at, node, before.runs.get(identityOf(at.instance)));
    const text = place && mayBeShown(place.expression, at.graph) ? rewriteOf(place, at) : undefined;
    const hint = text === undefined ? general : { hint: rewriteHint(text) };
    const message = about(
      phrase`'${{ node: shown(at.graph.nodes[node]?.id ?? '') }}' was ${{ before: shown(was) }}, and is ${{ after: shown(is) }}`,
    );
    const where = placeOf(place?.expression, at.graph.nodes[node]?.path ?? []);
    return nodeReport(nodeRun(at, node), { code: 'upgrade-change', message, ...where, severity, ...hint });
  }
  const what = phrase`${{ field: shown(path === undefined ? 'the instance' : formatPath(['status', ...path])) }} was ${{ before: shown(was) }}, and is ${{ after: shown(is) }}`;
  const where = path === undefined ? [] : writtenIn(at.graph.input.object, ['spec', 'schema', 'status', ...path]);
  const { source } = (path === undefined ? at : at.graph).input;
  const found = toReport({ code: 'upgrade-change', message: about(what), path: where, severity, ...general });
  return { ...found, object: titleOfRun(at), ...(source && { source }) };
}

const rewriteHint = (expression: string): Message =>
  advise(phrase`write ${shown(`\${${expression}}`)}: it has the same result in both`, {
    kind: 'rewrite',
    expression: shown(expression),
  });

/** Returns the part of a path that an RGD has: a whole object may come from one expression. */
const writtenIn = (rgd: Value, path: Path): Path =>
  path.slice(0, path.findLastIndex((_, index) => getAt(rgd, path.slice(0, index + 1)) !== undefined) + 1);

const placeOf = (expression: CompiledExpression | undefined, path: Path): { path: Path; offset?: number } =>
  expression === undefined ? { path } : { path: expression.path, offset: expression.offset };

/** The expression that a rule is about, and its error. */
interface Culprit {
  expression: CompiledExpression;
  error: EvaluationError;
  /** The value for a read that finds nothing; otherwise the empty value of its type. */
  fallback: string | undefined;
}

/** Returns the expression of a node because of which a rule makes a difference; `before` is the run without the rule. */
function culpritOf(
  rule: RuleName,
  run: InstanceRun,
  index: number,
  before: InstanceRun | undefined,
): Culprit | undefined {
  const node = run.graph.nodes[index];
  if (node === undefined) return undefined;
  if (rule === 'forEachReadsAll') {
    const lists = node.forEach.map(({ expression }) => expression);
    return firstFailure(lists, run, '[]');
  }
  if (rule === 'emptyCollectionReadsNothing') return firstFailure(node.shared, before ?? run, undefined);
  return undefined;
}

function firstFailure(
  expressions: readonly CompiledExpression[],
  run: InstanceRun,
  fallback: string | undefined,
): Culprit | undefined {
  for (const expression of expressions) {
    const error = failureOf(expression, run);
    if (error !== undefined) return { expression, error, fallback };
  }
  return undefined;
}

function failureOf(expression: CompiledExpression, run: InstanceRun): EvaluationError | undefined {
  try {
    expression.program.run(run.frame, createBudget(run.world.options));
    return undefined;
  } catch (error) {
    if (error instanceof EvaluationError) return error;
    throw error;
  }
}

const EMPTY: Readonly<Record<string, string>> = {
  string: '""',
  integer: '0',
  number: '0.0',
  boolean: 'false',
  array: '[]',
  object: '{}',
};

function emptyValueOf(variable: string, path: Path, { graph }: InstanceRun): string | undefined {
  const instance: Schema = { ...graph.schema, properties: { ...graph.schema.properties, metadata: objectMetaSchema } };
  return EMPTY[schemaAt(variable === 'schema' ? instance : graph.nodeById.get(variable)?.schema, path)?.type ?? ''];
}

/** Returns the expression with an optional read and a fallback; `undefined` if its text does not name the field. */
function rewriteOf({ expression, error, fallback }: Culprit, run: InstanceRun): string | undefined {
  const source = expression.source.trim();
  const { variable = '', path = [] } = error.read ?? {};
  if (path.length === 0) return undefined;
  const steps = path.map((step) => `(?:\\.${escaped(step)}|\\[["']?${escaped(step)}["']?\\])`).join('');
  const found = new RegExp(`(?<![\\w.])${variable}${steps}(?!\\w)((?:\\.\\w+(?![\\w(]))*)`).exec(source);
  if (found === null) return undefined;
  const [whole, rest = ''] = found;
  const before = source.slice(0, found.index);
  const read = whole.slice(0, whole.length - rest.length).replace(/(\.|\[)(?=["']?[^.[]*$)/, '$1?');
  const value = fallback ?? emptyValueOf(variable, [...(path as Path), ...rest.split('.').slice(1)], run);
  if (value === undefined) return undefined;
  return `${before}${read}${rest}.orValue(${value})${source.slice(found.index + whole.length)}`;
}

const escaped = (step: unknown): string => String(step).replace(/\W/g, String.raw`\$&`);
