import {
  type Collector,
  composeText,
  counted,
  format,
  type Message,
  type Problem,
  phrase,
  quote,
  type Report,
  reporterFor,
  shown,
  type Text,
} from '../../core/diagnostics/index.ts';
import { lazily, onceFor } from '../../core/model/lazily.ts';
import type { Limits } from '../../core/model/limits.ts';
import {
  groupKind,
  groupVersionKind,
  type InputObject,
  type KubeObject,
  nameOf,
  namespaceOf,
} from '../../core/model/object.ts';
import type { RenderInput, RenderOptions } from '../../core/model/render.ts';
import { formatPath, getAt, type Path, textAt } from '../../core/model/value.ts';
import { isSecret } from '../../core/redaction/index.ts';
import { compileRules, type GraphNode } from '../../kro/compile/index.ts';
import {
  type Expansion,
  hasSecretIdentity,
  type NodeRun,
  nodeReport,
  nodeRun,
  secrecyOf,
  withNested,
} from '../../kro/expand/index.ts';
import { type KroSession, kro } from '../../kro/front-end.ts';
import { renderedInputs, reviewAlone, roleOf } from '../../kubernetes/front-end/index.ts';
import { builtinKinds, type KindRegistry, type Schema } from '../../kubernetes/schema/index.ts';
import { isForCluster } from '../../kubernetes/select/index.ts';
import {
  asResource,
  compileRuleWalk,
  conformityOf,
  createPatternBudget,
  startVisit,
} from '../../kubernetes/validation/index.ts';
import { createBudget } from '../../languages/cel/index.ts';
import type { Rendering } from '../../render/pipeline.ts';
import { createLocator } from '../../yaml/locate/index.ts';
import { flattenObjects, objectsIn } from '../../yaml/parse/index.ts';
import { locationText, type Origin, originOfField } from '../explain/index.ts';
import {
  compilePolicies,
  type Denied,
  fieldOf,
  isPolicy,
  mayAlsoReject,
  problemOf,
  Undecided,
  type UserOptions,
  userOf,
  withOrigin,
} from '../policies/index.ts';

/** An object that is applied, and where problems of it are reported. */
type Applied = { object: KubeObject } & (NodeRun | { input: InputObject });

export type PolicyOptions = RenderOptions & UserOptions;

/** Evaluates the admission policies of a package, and those given for it, for the creation of its objects. */
export function checkPolicies(input: RenderInput, options: PolicyOptions, output: Rendering, reports: Collector): void {
  const own = objectsIn(input.objects);
  const beside = objectsIn([...(input.definitions ?? []), ...(input.observed ?? [])]);
  const given = flattenObjects(input.policies ?? [], reports);
  const session = output.of(kro);
  const applied = appliedIn(own, output, session);
  const all = [...given, ...beside, ...applied.map(inputOf)];
  reportOthers(all.filter(mayAlsoReject), reports);
  if (!all.some(isPolicy)) return;
  const graphs = [...(session?.graphs.values() ?? [])];
  const compiled = compilePolicies(
    {
      policies: all.filter(isPolicy),
      known: [...given, ...beside, ...applied.map((one) => ({ ...inputOf(one), ...secretOf(one) }))],
      complete: [...given, ...objectsIn(input.observed ?? [])],
      crds: [...(session?.pack.crds.map(({ object }) => object) ?? []), ...graphs.map(({ crd }) => crd)],
      kinds: session?.kinds ?? builtinKinds,
      user: userOf(options),
      limits: options,
      namespace: options.namespace,
    },
    applied.length,
    reports,
  );
  const problems: NodeProblems = new Map();
  const undecided = new Undecided();
  for (const one of applied) {
    for (const decision of compiled.decide({ object: one.object })) {
      if ('undecided' in decision) undecided.add(decision, titleOf(one), one.object);
      else report(decision, one);
    }
  }
  undecided.report(reports);
  for (const one of problems.values()) reports.add(reportOf(one));

  function report(denied: Denied, one: Applied): void {
    const field = fieldOf(denied, one);
    const problem = problemOf(denied, titleOf(one), field);
    if ('input' in one) {
      // A message may quote any field of the object.
      const secret = one.input.secret ?? (isSecret(reviewAlone(one.object).secrecy) ? 'values' : undefined);
      reporterFor({ ...one.input, ...(secret && { secret }) }, reports).report(problem);
    } else note(problems, one, withOrigin(problem, originOf(one, field)));
  }
}

const inputOf = (one: Applied): InputObject => ('input' in one ? one.input : { object: one.object });

/** Reports whether an object has values of Secrets, which messages may read as parameters and namespaces. */
function secretOf(one: Applied): Pick<InputObject, 'secret'> {
  return 'input' in one || !isSecret(secrecyOf(one)) ? {} : { secret: 'values' };
}

/** Returns the name of an object, which is hidden if it may be a value of a Secret. */
function titleOf(one: Applied): Message {
  const { object } = one;
  const given = nameOf(object) || `${textAt(object.metadata, 'generateName')}*`;
  const name = [namespaceOf(object), given].filter((part) => part !== '').join('/');
  const isHidden = 'input' in one ? one.input.secret === 'name' : hasSecretIdentity(one);
  return phrase`${shown(object.kind)}/${isHidden ? quote(name, '(hidden)') : shown(name)}`;
}

/** Returns every object that is applied: those that front ends render, and those that are none of theirs. */
function appliedIn(own: readonly InputObject[], output: Rendering, session: KroSession | undefined): Applied[] {
  const isTaken = (object: KubeObject): boolean => output.sessions.some(({ outcomes }) => outcomes.has(object));
  const plain = own.filter((input) => isForCluster({ role: roleOf(input.object), input }) && !isTaken(input.object));
  const runs = session?.expansion?.runs.flatMap(withNested) ?? [];
  const ofRuns = runs.flatMap((run) =>
    run.rendered.flatMap((items, index) =>
      items.flatMap(({ object }): Applied[] => (object === undefined ? [] : [{ object, ...nodeRun(run, index) }])),
    ),
  );
  const ofOthers = output.sessions.flatMap((one) => {
    if ((one as unknown) === session) return [];
    return [...one.outcomes.values()].flatMap(({ input, rendered }) => {
      const toInput = renderedInputs(input);
      return rendered
        .filter(({ object }) => !isTaken(object))
        .map((from): Applied => {
          const secret = one.secretOf ? one.secretOf(from.object) : input.secret && 'name';
          return { object: from.object, input: toInput(from, secret) };
        });
    });
  });
  return [...plain.map((input): Applied => ({ object: input.object, input })), ...ofRuns, ...ofOthers];
}

/** Returns where the value of a field comes from: a field of an instance, or of the schema of an RGD. */
function originOf({ object, ...at }: { object: KubeObject } & NodeRun, field: Path): Text | undefined {
  if (field.length === 0 || getAt(object, field) === undefined) return undefined;
  const from = { details: new Map(), locator: createLocator() };
  return sourceText(originOfField({ object, ...at }, field, from));
}

function sourceText({ from, what, place, behind }: Origin): Text | undefined {
  if (from === 'instance' || from === 'default') {
    const words = from === 'default' ? composeText`from the default of ` : composeText`from `;
    if (place === undefined) return composeText`${words}${what}`;
    return composeText`${words}${what} (${locationText(place)})`;
  }
  for (const one of behind) {
    const text = sourceText(one);
    if (text !== undefined) return text;
  }
  return undefined;
}

function reportOthers(others: readonly InputObject[], reports: Collector): void {
  const [first] = others;
  if (first === undefined) return;
  const kinds = [...new Set(others.map(({ object }) => groupKind(groupVersionKind(object))))].sort();
  reporterFor(first, reports).report({
    code: 'policy-not-evaluated',
    message: phrase`${shown(counted(others.length, 'object'))} of ${shown(kinds.join(', '))} may change or reject others, and are not evaluated`,
    path: ['kind'],
    severity: 'info',
  });
}

/** Validates rendered objects against the schemas of their kinds; reports an error of a node's objects once. */
export function checkObjects({ runs }: Expansion, kinds: KindRegistry, limits: Limits, reports: Collector): void {
  const problemsOf = createCheck(limits);
  const problems: NodeProblems = new Map();
  for (const run of runs.flatMap(withNested)) {
    for (const [index, items] of run.rendered.entries()) {
      const node = run.graph.nodes[index] as GraphNode;
      for (const { object } of items) {
        if (object === undefined) continue;
        const isComputed = node.resolve !== undefined;
        const gvk = isComputed ? groupVersionKind(object) : node.gvk;
        const known = kinds.find(gvk);
        const schema = known?.written?.() ?? (isComputed ? known?.schema : node.schema);
        if (schema === undefined) break;
        for (const problem of problemsOf(object, { ...node, gvk }, schema)) note(problems, { run, node }, problem);
      }
    }
  }
  for (const one of problems.values()) reports.add(reportOf(one, { field: one.problem.path }));
}

interface Found extends NodeRun {
  problem: Problem;
  objects: number;
}

/** The problems of rendered objects: that of many objects of one node is reported once. */
type NodeProblems = Map<string, Found>;

function note(problems: NodeProblems, { run, node }: NodeRun, problem: Problem): void {
  const key = [run.graph.name, node.id, problem.code, format(problem.message), ...problem.path].join('\u0000');
  const before = problems.get(key);
  if (before === undefined) problems.set(key, { run, node, problem, objects: 1 });
  else before.objects += 1;
}

/** Returns the report of a problem at its template; without `quoted` it may quote anything that the node reads. */
function reportOf({ problem, objects, ...at }: Found, quoted?: { field: Path }): Report {
  const more = objects === 1 ? phrase`` : phrase` (${shown(objects)} objects)`;
  const path = [...at.node.path, 'template', ...problem.path];
  return nodeReport(at, { ...problem, message: phrase`${problem.message}${more}`, path }, quoted);
}

/** Returns a check of an object against the schema of its kind, with the rules of a CRD as for a new object. */
function createCheck(limits: Limits): (object: KubeObject, node: GraphNode, schema: Schema) => Iterable<Problem> {
  const patterns = createPatternBudget();
  const walkOf = onceFor((schema: Schema) => {
    const resource = asResource(schema);
    return compileRuleWalk(resource, compileRules(resource, () => {}).runner);
  });
  return function* (object, node, schema) {
    const custom = builtinKinds.find(node.gvk) === undefined;
    // An API server ignores the status of an applied object.
    const { status: _, ...applied } = object;
    const conformity = conformityOf(withoutStatus(schema), applied, custom, patterns);
    const refused = (why: Message): Message => phrase`the API server rejects this ${shown(node.gvk.kind)}: ${why}`;
    for (const { code, message, path } of conformity.faults) {
      // A cluster may be newer than the built-in kinds.
      const isUnknown = code === 'rendered-unknown-field';
      const severity = isUnknown && !custom ? 'warning' : 'error';
      const field = path.length === 0 || isUnknown ? '' : `${formatPath(path)}: `;
      const problem = refused(phrase`${field}${message}`);
      yield { code, message: code === 'schema-too-large' ? message : problem, path, severity };
    }
    // Rules run if everything else is valid. Kubernetes' own types have none in their schemas.
    const walk = custom && conformity.faults.length === 0 ? walkOf(schema) : undefined;
    if (walk === undefined) return;
    const visit = startVisit(
      [],
      undefined,
      lazily(() => createBudget(limits)),
    );
    walk(conformity.object, visit);
    for (const { message, path } of visit.problems) yield { code: 'rendered-rule', message: refused(message), path };
  };
}

function withoutStatus(schema: Schema): Schema {
  return schema.required?.includes('status')
    ? { ...schema, required: schema.required.filter((key) => key !== 'status') }
    : schema;
}
