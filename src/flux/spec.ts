import { isError, type Problem, phrase } from '../core/diagnostics/index.ts';
import { entryFault } from '../core/model/names.ts';
import type { KubeObject } from '../core/model/object.ts';
import { get, isMap, listOf, type Path, setKey, type Value, type ValueMap } from '../core/model/value.ts';
import { checkRules, checkShape, mapsIn, SET_SPEC } from './crd.ts';

/** Templates of a ResourceSet, or of a step of it. */
export interface TemplateSpec {
  /** The name of the step; none outside of steps. */
  step?: string;
  /** Their locations. */
  path: Path;
  resources: readonly Value[];
  resourcesTemplate: string;
}

interface InputReference {
  name?: string;
  selector?: Value;
}

/** A ResourceSet, decoded. */
export interface ResourceSetSpec {
  inputs: readonly ValueMap[];
  inputsFrom: readonly InputReference[];
  strategy: 'Flatten' | 'Permute';
  includeEmptyProviders: boolean;
  templates: readonly TemplateSpec[];
  labels: ValueMap;
  annotations: ValueMap;
}

type ReportProblem = (problem: Problem) => void;

/**
 * Decodes the spec of a ResourceSet; returns `undefined` after an error, which is reported. `lenient` is the severity
 * of what `flux-operator build rset` does not check.
 */
export function readSpec(
  object: KubeObject,
  report: ReportProblem,
  lenient: 'error' | 'warning' = 'error',
): ResourceSetSpec | undefined {
  let failed = false;
  const watched: ReportProblem = (problem) => {
    failed ||= isError(problem);
    report(problem);
  };
  const given = get(object, 'spec') ?? null;
  checkShape(SET_SPEC, given ?? {}, watched);
  if (failed) return undefined;
  const spec = isMap(given) ? given : {};
  checkRules(spec, watched, lenient);
  const metadata = get(spec, 'commonMetadata');
  const read: ResourceSetSpec = {
    inputs: mapsIn(spec, 'inputs'),
    inputsFrom: mapsIn(spec, 'inputsFrom').map(referenceOf),
    strategy: get(get(spec, 'inputStrategy'), 'name') === 'Permute' ? 'Permute' : 'Flatten',
    includeEmptyProviders: get(get(spec, 'inputStrategy'), 'includeEmptyProviders') === true,
    templates: templatesOf(spec),
    labels: commonEntries(metadata, 'labels', watched),
    annotations: commonEntries(metadata, 'annotations', watched),
  };
  return failed ? undefined : read;
}

/** Values of metadata are strings; numbers and booleans are converted. */
function commonEntries(metadata: Value | undefined, field: 'labels' | 'annotations', report: ReportProblem): ValueMap {
  const entries: ValueMap = {};
  const map = get(metadata, field);
  for (const [key, value] of Object.entries(isMap(map) ? map : {})) {
    const path = ['spec', 'commonMetadata', field, key];
    if (typeof value === 'object' && value !== null) {
      report({ code: 'resourceset-shape', message: phrase`the value of '${key}' must be a string`, path });
    }
    const text = value === null ? '' : String(value);
    const reason = entryFault(field, key, text);
    if (reason !== undefined) report({ code: 'object-label', message: phrase`'${key}: ${text}': ${reason}`, path });
    setKey(entries, key, text);
  }
  return entries;
}

function referenceOf(one: ValueMap): InputReference {
  const { name, selector } = one;
  const hasName = typeof name === 'string' && name !== '';
  return { ...(hasName && { name }), ...(selector !== undefined && selector !== null && { selector }) };
}

/** Returns the locations of the templates of a ResourceSet, in rendering order, each with its step. */
export const templatePlaces = ({ spec = null }: KubeObject): { path: Path; step: string | undefined }[] =>
  templatesOf(isMap(spec) ? spec : {}).flatMap(({ path, step, resources, resourcesTemplate }) => {
    const entries: Path[] = resources.map((_, index) => ['resources', index]);
    const all = resourcesTemplate === '' ? entries : [...entries, ['resourcesTemplate']];
    return all.map((one) => ({ path: [...path, ...one], step }));
  });

function templatesOf(spec: ValueMap): TemplateSpec[] {
  const steps = mapsIn(spec, 'steps');
  if (steps.length === 0) return [templateIn(spec, ['spec'])];
  return steps.map((step, index) => ({ ...templateIn(step, ['spec', 'steps', index]), step: String(step.name) }));
}

function templateIn({ resources, resourcesTemplate }: ValueMap, path: Path): TemplateSpec {
  const text = typeof resourcesTemplate === 'string' ? resourcesTemplate : '';
  return { path, resources: listOf(resources), resourcesTemplate: text };
}
