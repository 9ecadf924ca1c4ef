import type { Problem } from '../../diagnostics/index.ts';
import { NIL_MAP, toGoMap } from '../../gotemplate/index.ts';
import { identityOf } from '../../model/object.ts';
import { formatPath } from '../../model/path.ts';
import type { Path, ValueMap } from '../../model/value.ts';
import { either, isSecret, writtenSecrets } from '../../secrecy/index.ts';
import { functionsFor } from '../functions/index.ts';
import type { InputSet } from '../inputs/combine.ts';
import type { SetPlace } from '../inputs/providers.ts';
import { inputReads, secretInputs } from '../reads.ts';
import type { ResourceSetSpec, TemplateSpec } from '../spec.ts';
import { MOST_FAULTS, MOST_RUNS, type RenderBudget } from './budget.ts';
import { aboutSet, type SecretUse, secrecyOfTemplate } from './fault.ts';
import { finished, isDisabled, metadataFault } from './finish.ts';
import {
  type Bound,
  type CompiledTemplate,
  compileSet,
  compileTemplates,
  type Execution,
  executeDocument,
  executeEntry,
} from './templates.ts';

/** An object that a ResourceSet rendered, and the template that it came from. */
export interface MadeObject {
  object: ValueMap;
  path: Path;
  /** Which step of the ResourceSet it is of; 0 without steps. */
  step: number;
  /** The inputs that it was rendered for; undefined in a ResourceSet without any. */
  inputs: InputSet | undefined;
}

/** The objects of a step, by identity. */
type Part = Omit<MadeObject, 'step'>[];
type Made = Map<string, Part[number]>;

type Report = (problem: Problem) => void;

/**
 * Renders the templates of a ResourceSet for its input sets, in the order of the Flux operator. `holdsSecrets` says that
 * values of Secrets may stand anywhere in it.
 */
export function renderSet(
  spec: ResourceSetSpec,
  set: SetPlace,
  inputs: readonly InputSet[],
  budget: RenderBudget,
  report: Report,
  holdsSecrets = false,
): MadeObject[] {
  let faults = 0;
  const reportFault: Report = (problem) => {
    if ((problem.severity ?? 'error') === 'error') faults++;
    report(problem);
  };
  const runs = countTemplates(spec) * Math.max(1, inputs.length);
  if (runs > MOST_RUNS) {
    const message = `its templates would be executed ${runs} times, which is more than ${MOST_RUNS}`;
    report({ code: 'budget-exceeded', message, path: ['spec'], hint: 'split it, or give it fewer inputs' });
    return [];
  }
  budget.allowRuns(runs);
  // Without inputs templates are executed once, with an empty map that cannot be written to.
  const bound: Bound[] =
    inputs.length > 0 ? inputs.map(bind) : [{ functions: functionsFor(() => NIL_MAP), set: undefined }];
  const isEnough = (): boolean => faults >= MOST_FAULTS;
  const execution: Execution = {
    budget,
    report: reportFault,
    isEnough,
    secret: holdsSecrets ? () => ALL_SECRET : secretsOf(spec, inputs),
  };
  const parts = spec.templates.map((templates) => renderPart(templates, bound, execution));
  refuseTwice(spec.templates, parts, reportFault);
  if (faults > 0) return [];
  return parts.flatMap((made, step) =>
    made.map(({ object, ...from }) => ({ ...from, object: finished(object, spec, set), step })),
  );
}

/** Of a ResourceSet that was made of Secrets. */
const ALL_SECRET: SecretUse = { inputs: true, touches: () => true };

const countTemplates = ({ templates }: ResourceSetSpec): number =>
  templates.reduce((sum, { resources, resourcesTemplate }) => sum + resources.length + (resourcesTemplate ? 1 : 0), 0);

/** What goes into Secrets or comes from one, worked out when it is first asked for: only faults need it. */
function secretsOf(spec: ResourceSetSpec, sets: readonly InputSet[]): () => SecretUse {
  let found: SecretUse | undefined;
  return () => {
    if (found !== undefined) return found;
    const compiled = compileSet(spec, () => {});
    const secrecies = new Map(compiled.map(({ text }) => [text.path, secrecyOfTemplate(text)]));
    const reads = inputReads(compiled);
    const held = sets.map(({ values }) => writtenSecrets(values));
    const inputs = either(
      ...held,
      secretInputs(reads, (path) => secrecies.get(path) ?? true),
    );
    const readers = reads.filter((read) => read.inputs.some((path) => isSecret(inputs, path)));
    const known = new Set(readers.map(({ template }) => formatPath(template)));
    found = { inputs, touches: (text) => isSecret(secrecyOfTemplate(text)) || known.has(formatPath(text.path)) };
    return found;
  };
}

function bind(set: InputSet): Bound {
  const values = toGoMap(set.values);
  return { functions: functionsFor(() => values), set };
}

/** First all entries of `resources`, each for every input set, then the template of documents. */
function renderPart(templates: TemplateSpec, bound: readonly Bound[], execution: Execution): Part {
  const compiled = compileTemplates(templates, execution.report);
  if (compiled === undefined) return [];
  const made: Made = new Map();
  const run = (template: CompiledTemplate, render: typeof executeEntry): void => {
    for (const one of bound) {
      const objects = render(template, one, execution);
      if (objects === undefined || execution.isEnough()) return;
      for (const object of objects) keep(made, object, template.text.path, one, execution);
    }
  };
  for (const template of compiled.resources) run(template, executeEntry);
  if (compiled.document !== undefined) run(compiled.document, executeDocument);
  return [...made.values()];
}

/** Of objects of one identity the first stays; disabled ones do not count. */
function keep(made: Made, object: ValueMap, path: Path, { set }: Bound, { report, secret }: Execution): void {
  const fault = metadataFault(object, path, () => aboutSet(set, secret));
  if (fault !== undefined) {
    report(fault);
    return;
  }
  const identity = identityOf(object);
  if (!isDisabled(object) && !made.has(identity)) made.set(identity, { object, path, inputs: set });
}

/** Steps may not have objects in common: one would be applied over the other. */
function refuseTwice(templates: readonly TemplateSpec[], parts: readonly Part[], report: Report): void {
  const steps = new Map<string, string>();
  parts.forEach((made, index) => {
    const step = templates[index]?.step ?? '';
    for (const { object, path } of made) {
      const identity = identityOf(object);
      const earlier = steps.get(identity);
      if (earlier === undefined) steps.set(identity, step);
      else {
        const message = `the steps '${earlier}' and '${step}' both make ${String(object.kind)}/${identity.split('/').at(-1)}`;
        report({ code: 'identity-collision', message, path, hint: 'leave it out of one of them' });
      }
    }
  });
}
