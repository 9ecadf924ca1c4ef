import { composeText, isError, type Problem, phrase, shown } from '../../core/diagnostics/index.ts';
import { lazily } from '../../core/model/lazily.ts';
import { MAX_ERRORS, MAX_EXECUTIONS } from '../../core/model/limits.ts';
import { identityOf } from '../../core/model/object.ts';
import type { Path, ValueMap } from '../../core/model/value.ts';
import { NIL_MAP, toGoMap } from '../../languages/gotemplate/index.ts';
import { functionsFor } from '../functions/index.ts';
import type { InputSet } from '../inputs/combine.ts';
import type { NamespacedName } from '../inputs/providers.ts';
import { secretUse } from '../reads.ts';
import type { ResourceSetSpec, TemplateSpec } from '../spec.ts';
import { readDocuments, readEntry } from './documents.ts';
import { aboutSet, type SecretUse } from './fault.ts';
import { finisher, isDisabled, metadataFault, objectFaults } from './finish.ts';
import {
  type Bound,
  type CompiledTemplate,
  compileSet,
  compileTemplates,
  type Execution,
  execute,
  type RenderBudget,
} from './templates.ts';

/** A rendered object of a ResourceSet, with its template. */
export interface SetObject {
  object: ValueMap;
  path: Path;
  /** The step of the ResourceSet; 0 without steps. */
  step: number;
  /** The inputs of the execution; undefined in a ResourceSet without any. */
  inputs: InputSet | undefined;
}

/** The objects of a step, by identity. */
type Part = Omit<SetObject, 'step'>[];
type ObjectsByIdentity = Map<string, Part[number]>;

type ReportProblem = (problem: Problem) => void;

/**
 * Renders the templates of a ResourceSet for its input sets, in the order of the Flux operator. `holdsSecrets` means
 * that values of Secrets may be anywhere in it.
 */
export function renderSet(
  spec: ResourceSetSpec,
  set: NamespacedName,
  inputs: readonly InputSet[],
  budget: RenderBudget,
  report: ReportProblem,
  holdsSecrets = false,
): SetObject[] {
  let faults = 0;
  const reportFault: ReportProblem = (problem) => {
    if (isError(problem)) faults++;
    report(problem);
  };
  const runs = countTemplates(spec) * Math.max(1, inputs.length);
  if (runs > MAX_EXECUTIONS) {
    const message = phrase`its templates would be executed ${runs} times, more than the limit of ${shown(MAX_EXECUTIONS)}`;
    report({ code: 'budget-exceeded', message, path: ['spec'], hint: phrase`split it, or use fewer inputs` });
    return [];
  }
  budget.allowRuns(runs);
  // Without inputs templates are executed once, with an empty map that cannot be changed.
  const bound: Iterable<Bound> =
    inputs.length > 0 ? boundTo(inputs, runs) : [{ functions: functionsFor(() => NIL_MAP), set: undefined }];
  const isEnough = (): boolean => faults >= MAX_ERRORS;
  const execution: Execution = {
    budget,
    report: reportFault,
    isEnough,
    secret: holdsSecrets ? () => ALL_SECRET : secretsOf(spec, inputs),
  };
  const parts = spec.templates.map((templates) => renderPart(templates, bound, execution));
  rejectDuplicates(spec.templates, parts, reportFault);
  for (const part of parts) checkObjects(part, execution);
  if (faults > 0) return [];
  const finish = finisher(spec, set);
  return parts.flatMap((objects, step) =>
    objects.map(({ object, path, inputs }) => ({ object: finish(object), path, inputs, step })),
  );
}

/** For a ResourceSet that contains values of Secrets. */
const ALL_SECRET: SecretUse = { inputs: true, touches: () => true };

const countTemplates = ({ templates }: ResourceSetSpec): number =>
  templates.reduce((sum, { resources, resourcesTemplate }) => sum + resources.length + (resourcesTemplate ? 1 : 0), 0);

/** Returns what flows into Secrets or comes from one, computed on demand: only errors need it. */
const secretsOf = (spec: ResourceSetSpec, sets: readonly InputSet[]): (() => SecretUse) =>
  lazily(() => {
    const templates = compileSet(spec, () => {});
    return secretUse(templates, sets);
  });

/** Returns input sets for templates, which may change them for later ones: kept if there is more than one. */
function boundTo(inputs: readonly InputSet[], runs: number): Iterable<Bound> {
  if (runs > inputs.length) return inputs.map(bind);
  return {
    *[Symbol.iterator]() {
      for (const set of inputs) yield bind(set);
    },
  };
}

function bind(set: InputSet): Bound {
  const values = toGoMap(set.values);
  return { functions: functionsFor(() => values), set };
}

/** Renders all entries of `resources`, each for every input set, then the template of documents. */
function renderPart(templates: TemplateSpec, bound: Iterable<Bound>, execution: Execution): Part {
  const compiled = compileTemplates(templates, execution.report);
  if (compiled === undefined) return [];
  const rendered: ObjectsByIdentity = new Map();
  const run = (template: CompiledTemplate, read: typeof readEntry): void => {
    for (const one of bound) {
      const objects = execute(template, one, execution, read);
      if (objects === undefined || execution.isEnough()) return;
      for (const object of objects) addObject(rendered, object, template.text.path, one, execution);
    }
  };
  for (const template of compiled.resources) run(template, readEntry);
  if (compiled.document !== undefined) run(compiled.document, readDocuments);
  return [...rendered.values()];
}

/** Adds an object; the first of one identity stays, and disabled ones are ignored. */
function addObject(
  objects: ObjectsByIdentity,
  object: ValueMap,
  path: Path,
  { set }: Bound,
  { report, secret }: Execution,
): void {
  const fault = metadataFault(object, path, () => aboutSet(set, secret));
  if (fault !== undefined) {
    report(fault);
    return;
  }
  const identity = identityOf(object);
  if (!isDisabled(object) && !objects.has(identity)) objects.set(identity, { object, path, inputs: set });
}

/** Reports what every API server rejects. */
function checkObjects(part: Part, { report, isEnough, secret }: Execution): void {
  for (const { object, path, inputs } of part) {
    if (isEnough()) return;
    for (const problem of objectFaults(object)) {
      report({ ...problem, message: phrase`${problem.message}${aboutSet(inputs, secret)}`, path: [...path] });
    }
  }
}

/** Reports objects that several steps render: one would be applied over the other. */
function rejectDuplicates(templates: readonly TemplateSpec[], parts: readonly Part[], report: ReportProblem): void {
  if (parts.length < 2) return;
  const steps = new Map<string, { step: string; path: Path }>();
  parts.forEach((objects, index) => {
    const step = templates[index]?.step ?? '';
    for (const { object, path } of objects) {
      const identity = identityOf(object);
      const earlier = steps.get(identity);
      if (earlier === undefined) steps.set(identity, { step, path });
      else {
        const title = `${String(object.kind)}/${identity.split('/').at(-1)}`;
        const message = phrase`the steps '${earlier.step}' and '${step}' both render ${title}`;
        const related = [{ message: composeText`renders it first`, source: undefined, path: earlier.path }];
        report({ code: 'identity-collision', message, path, related, hint: phrase`remove it from one of them` });
      }
    }
  });
}
