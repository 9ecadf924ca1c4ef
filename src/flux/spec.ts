import { isError, type Problem, phrase, shown } from '../core/diagnostics/index.ts';
import { entryFault } from '../core/model/names.ts';
import type { KubeObject } from '../core/model/object.ts';
import { get, listOf, mapOf, type Path, setKey, type Value, type ValueMap } from '../core/model/value.ts';
import { checkRules, checkShape, mapsIn, SET_SPEC } from './crd.ts';
import { faultInJson, foldNextLines } from './stored-json.ts';

/** A template: a text of documents, or an entry of `resources`. */
type WrittenTemplate = { path: Path } & ({ source: string; entry?: never } | { entry: Value });

/** The templates of a ResourceSet, or of a step of it, which has a name. */
export interface TemplateStep {
  name?: string;
  templates: readonly WrittenTemplate[];
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
  steps: readonly TemplateStep[];
  labels: ValueMap;
  annotations: ValueMap;
}

type ReportProblem = (problem: Problem) => void;

/** Decodes a spec; `undefined` after an error. `lenient`: of what `flux-operator build rset` does not check. */
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
  const spec = mapOf(given);
  checkRules(spec, watched, lenient);
  for (const { templates } of stepsOf(spec)) for (const template of templates) checkEntry(template, watched);
  const metadata = get(spec, 'commonMetadata');
  const read: ResourceSetSpec = {
    inputs: mapsIn(spec, 'inputs'),
    inputsFrom: mapsIn(spec, 'inputsFrom').map(referenceOf),
    strategy: get(get(spec, 'inputStrategy'), 'name') === 'Permute' ? 'Permute' : 'Flatten',
    includeEmptyProviders: get(get(spec, 'inputStrategy'), 'includeEmptyProviders') === true,
    steps: stepsOf(spec),
    labels: commonEntries(metadata, 'labels', watched),
    annotations: commonEntries(metadata, 'annotations', watched),
  };
  return failed ? undefined : read;
}

function checkEntry(template: WrittenTemplate, report: ReportProblem): void {
  const fault = 'entry' in template ? faultInJson(template.entry) : undefined;
  if (fault === undefined) return;
  const message = phrase`the operator cannot read the entry, which it reads as YAML 1.1: ${{ reason: shown(fault.reason) }}`;
  report({ code: 'resourceset-shape', message, path: [...template.path, ...fault.path] });
}

/** Values of metadata are strings; numbers and booleans are converted. */
function commonEntries(metadata: Value | undefined, field: 'labels' | 'annotations', report: ReportProblem): ValueMap {
  const entries: ValueMap = {};
  for (const [key, value] of Object.entries(mapOf(get(metadata, field)))) {
    const path = ['spec', 'commonMetadata', field, key];
    if (typeof value === 'object' && value !== null) {
      report({ code: 'resourceset-shape', message: phrase`the value of '${{ key }}' must be a string`, path });
    }
    const text = value === null ? '' : String(value);
    const reason = entryFault(field, key, text);
    if (reason !== undefined)
      report({ code: 'object-label', message: phrase`'${{ key }}: ${{ value: text }}': ${{ reason }}`, path });
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
  stepsOf(mapOf(spec)).flatMap(({ name, templates }) => templates.map(({ path }) => ({ path, step: name })));

function stepsOf(spec: ValueMap): TemplateStep[] {
  const steps = mapsIn(spec, 'steps');
  if (steps.length === 0) return [{ templates: templatesIn(spec, ['spec']) }];
  return steps.map((step, index) => ({
    name: String(step.name),
    templates: templatesIn(step, ['spec', 'steps', index]),
  }));
}

function templatesIn({ resources, resourcesTemplate: source }: ValueMap, path: Path): WrittenTemplate[] {
  const entries = listOf(resources).map((entry, index) => ({
    path: [...path, 'resources', index],
    entry: foldNextLines(entry),
  }));
  if (typeof source !== 'string' || source === '') return entries;
  return [...entries, { path: [...path, 'resourcesTemplate'], source: source.toWellFormed() }];
}
