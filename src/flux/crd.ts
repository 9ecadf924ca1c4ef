import schemas from '../../data/resourceset-schemas.json';
import { type Message, type Problem, phrase } from '../core/diagnostics/index.ts';
import { formatPath, get, isMap, listAt, type Path, type Value, type ValueMap } from '../core/model/value.ts';
import { type Schema, toSchema } from '../kubernetes/schema/index.ts';
import { compileCheck, startVisit } from '../kubernetes/validation/index.ts';
import { parse } from '../languages/cel/index.ts';

/**
 * What the API server rejects in a ResourceSet and in a ResourceSetInputProvider: the types and rules of their CRDs, as
 * of flux-operator v0.59 (https://fluxoperator.dev/docs/crd/resourceset/). Fields that only the operator reads are
 * included, because it renders nothing if the object is rejected. Numbers and booleans in commonMetadata become strings,
 * as intended by the author.
 */
export const SET_SPEC = toSchema(schemas.set);
export const PROVIDER_SPEC = toSchema(schemas.provider);

type ReportProblem = (problem: Problem) => void;

/** Reports fields of a spec that do not match its CRD; unknown fields are ignored, with a warning. */
export function checkShape(schema: Schema, spec: Value, report: ReportProblem): void {
  const visit = startVisit(['spec']);
  compileCheck(schema)(spec, visit);
  for (const problem of visit.problems) {
    if (problem.code !== 'instance-unknown-field') report({ ...problem, code: 'resourceset-shape' });
    else {
      const message = phrase`unknown field ${formatPath(problem.path)} is ignored`;
      report({ ...problem, code: 'resourceset-field', message, severity: 'warning' });
    }
  }
}

const has = (value: Value | undefined, field: string): boolean => (get(value, field) ?? null) !== null;

/** Checks the rules of the CRD and the controller; `lenient`: what `flux-operator build rset` does not check. */
export function checkRules(spec: ValueMap, report: ReportProblem, lenient: 'error' | 'warning'): void {
  const fault = (message: Message, path: Path, hint?: Message, severity?: 'error' | 'warning'): void =>
    report({ code: 'resourceset-shape', message, path: ['spec', ...path], severity, hint });
  if (!has(spec, 'steps') && !has(spec, 'resources') && !has(spec, 'resourcesTemplate')) {
    fault(phrase`a ResourceSet needs resources, resourcesTemplate or steps`, []);
  }
  checkSteps(spec, fault);
  const strategy = get(spec, 'inputStrategy');
  if (has(strategy, 'includeEmptyProviders') && get(strategy, 'name') !== 'Permute') {
    const path = ['inputStrategy', 'includeEmptyProviders'];
    fault(phrase`includeEmptyProviders is for the strategy Permute only`, path, phrase`remove it`, lenient);
  }
  mapsIn(spec, 'inputsFrom').forEach((reference, index) => {
    const path = ['inputsFrom', index];
    if (has(reference, 'name') && has(reference, 'selector')) {
      fault(phrase`an entry of inputsFrom has a name or a selector, not both`, path, phrase`make two entries of it`);
    } else if (!has(reference, 'selector') && (get(reference, 'name') ?? '') === '') {
      const hint = phrase`add the name of a ResourceSetInputProvider, or a selector`;
      fault(phrase`an entry of inputsFrom needs a name or a selector`, path, hint);
    }
  });
  mapsIn(spec, 'dependsOn').forEach((dependency, index) => {
    const path = ['dependsOn', index, 'readyExpr'];
    const expression = get(dependency, 'readyExpr');
    if (typeof expression !== 'string') return;
    if (!has(dependency, 'ready'))
      fault(phrase`readyExpr has an effect only with ready: true`, path, phrase`add ready: true`);
    if (get(dependency, 'ready') !== true || expression === '') return;
    const parsed = parse(expression);
    if (!parsed.ok) fault(phrase`readyExpr is not valid CEL: ${parsed.issue.message}`, path, undefined, lenient);
  });
}

function checkSteps(spec: ValueMap, fault: (message: Message, path: Path, hint?: Message) => void): void {
  if (has(spec, 'steps') && (has(spec, 'resources') || has(spec, 'resourcesTemplate'))) {
    const message = phrase`spec.steps excludes spec.resources and spec.resourcesTemplate`;
    fault(message, ['steps'], phrase`move them into a step`);
  }
  const names = new Set<string>();
  mapsIn(spec, 'steps').forEach((step, index) => {
    const name = String(get(step, 'name') ?? '');
    if (names.has(name)) fault(phrase`there are two steps of the name '${name}'`, ['steps', index, 'name']);
    names.add(name);
    const resources = get(step, 'resources') ?? [];
    if (Array.isArray(resources) && resources.length === 0 && (get(step, 'resourcesTemplate') ?? '') === '') {
      fault(phrase`the step '${name}' has neither resources nor resourcesTemplate`, ['steps', index]);
    }
  });
}

export const mapsIn = (spec: ValueMap, field: string): ValueMap[] => listAt(spec, field).filter(isMap);
