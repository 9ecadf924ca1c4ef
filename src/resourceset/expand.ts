import { type Collector, type Reporter, reporterFor } from '../diagnostics/index.ts';
import { getCommand } from '../kubectl/index.ts';
import { instanceId } from '../label/index.ts';
import { isPassthrough } from '../model/mode.ts';
import { type InputObject, type KubeObject, nameOf, namespaceOf } from '../model/object.ts';
import type { RenderOptions } from '../model/render.ts';
import { API_VERSION, GROUP, PROVIDER, SET } from '../model/resource-set.ts';
import { get, isMap, type Value, type ValueMap } from '../model/value.ts';
import { combineInputs, type InputSet, type ProviderInputs } from './inputs/combine.ts';
import {
  nothingSelected,
  type Providers,
  type Selected,
  type SetPlace,
  selectProviders,
  unknownProviders,
  type WaitingFor,
} from './inputs/providers.ts';
import { DEFAULT_NAMESPACE } from './kinds.ts';
import type { RenderBudget } from './render/budget.ts';
import { type MadeObject, renderSet } from './render/index.ts';
import { type ResourceSetSpec, readSpec } from './spec.ts';

/** What a ResourceSet can read besides itself. */
export interface Surroundings {
  providers: Providers;
  /** Input sets given by the user in place of the inline ones. */
  inputs?: Value;
  /** What all templates may take together. */
  budget: RenderBudget;
}

/** What became of a ResourceSet. */
export interface ExpandedSet {
  input: InputObject;
  place: SetPlace;
  id: string;
  /** What its templates are rendered for, each with how people call it; none when it waits. */
  inputs: readonly InputSet[];
  made: readonly MadeObject[];
  /** The providers that it took inputs from, or waits for. */
  used: readonly InputObject[];
  waiting: readonly WaitingFor[];
  live: Selected['live'];
  /** Left as it came, for the operator in the cluster. */
  passedThrough: boolean;
}

/** Where a ResourceSet stands; one that names no namespace is in the default one. */
export const placeOf = (object: KubeObject, options: RenderOptions): SetPlace => ({
  name: nameOf(object),
  namespace: namespaceOf(object) || options.namespace || DEFAULT_NAMESPACE,
});

/** The id by which pending nodes and earlier objects know a ResourceSet. */
export const setId = ({ name, namespace }: SetPlace): string =>
  instanceId({ group: GROUP, kind: SET, namespace, name });

/** Renders one ResourceSet. Everything that is wrong is reported; then nothing is made. */
export function expandSet(
  input: InputObject,
  around: Surroundings,
  options: RenderOptions,
  reports: Collector,
): ExpandedSet {
  const { object } = input;
  const place = placeOf(object, options);
  const { used, live, waiting } = nothingSelected();
  const id = setId(place);
  const none: ExpandedSet = { input, place, id, inputs: [], made: [], used, live, waiting, passedThrough: false };
  if (isPassthrough(object)) return { ...none, passedThrough: true };
  const reporter = reporterFor(input, reports);
  if (place.name === '') {
    reporter.report({ code: 'resourceset-shape', message: 'a ResourceSet needs a name', path: ['metadata'] });
    return none;
  }
  const spec = readSpec(object, (problem) => reporter.report(problem));
  if (spec === undefined) return none;
  const selected = selectInputs(spec, place, around, reporter);
  if (selected === undefined || reporter.failed()) return none;
  const asked = { ...none, used: selected.used, live: selected.live, waiting: selected.waiting };
  if (selected.waiting.length > 0) return wait(asked, options, reporter);
  const inputs = combineInputs(spec, [inline(spec, place, around), ...selected.providers], (problem) =>
    reporter.report(problem),
  );
  if (reporter.failed()) return asked;
  if (inputs.length === 0 && spec.inputsFrom.length > 0) {
    const message = 'no provider gives any inputs, so nothing is rendered';
    reporter.report({ code: 'no-inputs', message, path: ['spec', 'inputsFrom'], severity: 'warning' });
    return asked;
  }
  const made = renderSet(
    spec,
    place,
    inputs,
    around.budget,
    (problem) => reporter.report(problem),
    input.secret !== undefined,
  );
  if (made.length === 0 && !reporter.failed()) {
    const hint = 'add resources or resourcesTemplate, or look at conditions and disabled annotations';
    reporter.report({ code: 'no-objects', message: 'the ResourceSet renders to no object', path: ['spec'], hint });
  }
  tellOperatorFields(object, made, options, reporter);
  return { ...asked, inputs, made: reporter.failed() ? [] : made };
}

function inline(spec: ResourceSetSpec, place: SetPlace, { inputs }: Surroundings): ProviderInputs {
  const given = Array.isArray(inputs) ? inputs.filter(isMap) : spec.inputs;
  return { apiVersion: API_VERSION, kind: SET, ...place, inputs: given };
}

/** What inputsFrom gives. Without any provider at hand nothing can be said of it. */
function selectInputs(
  spec: ResourceSetSpec,
  place: SetPlace,
  { providers, inputs }: Surroundings,
  reporter: Reporter,
): Selected | undefined {
  const none = nothingSelected();
  if (inputs !== undefined && !(Array.isArray(inputs) && inputs.every(isMap))) {
    const message = 'what --inputs-from names must hold a list of input sets, each of them a map';
    reporter.report({ code: 'inputs-file', message, path: [], hint: 'write a list, with - before each set' });
    return undefined;
  }
  if (spec.inputsFrom.length === 0) return none;
  if (providers.written.length === 0 && providers.observed.length === 0) {
    return inputs === undefined ? { ...none, waiting: unknownProviders(spec) } : none;
  }
  return selectProviders(spec, place, providers, inputs !== undefined, reporter);
}

/** A provider of another type than Static is asked by the operator: only a live one has what it answered. */
function wait(asked: ExpandedSet, { onPending }: RenderOptions, reporter: Reporter): ExpandedSet {
  const severity = onPending === 'skip' ? 'warning' : onPending === 'passthrough' ? 'info' : 'error';
  for (const { name, type, path } of asked.waiting) {
    if (asked.used.length === 0) continue;
    const what = type === '' ? 'names no type' : `is of type ${type}, which asks a service`;
    const message = `ResourceSetInputProvider/${name} ${what}: its inputs are known to the cluster alone`;
    const object = { apiVersion: API_VERSION, kind: PROVIDER, namespace: asked.place.namespace, name };
    const command = getCommand(object, ['-o', 'yaml']);
    const live = command === undefined ? '' : ` (${command})`;
    const hint = `give the live provider with --observed${live}, or inputs with --inputs-from`;
    reporter.report({ code: 'provider-pending', message, path, hint, severity });
  }
  if (asked.used.length === 0) {
    const message = 'the inputs come from providers, and there is none in the input';
    const hint =
      'add ResourceSetInputProviders of type Static, give live ones with --observed, or a list of input sets with --inputs-from';
    reporter.report({ code: 'provider-pending', message, path: ['spec', 'inputsFrom'], hint, severity });
  }
  return { ...asked, passedThrough: onPending === 'passthrough' };
}

const OPERATOR_FIELDS = ['dependsOn', 'wait'];
const OPERATOR_ANNOTATIONS = ['copyFrom', 'convertKubeConfigFrom', 'checksumFrom'].map((name) => `${GROUP}/${name}`);

/** What the operator would do in a cluster, and a rendering cannot. */
function tellOperatorFields(
  object: KubeObject,
  made: readonly MadeObject[],
  { order }: RenderOptions,
  reporter: Reporter,
): void {
  const info = (message: string, path: (string | number)[], alike: string): void => {
    reporter.report({ code: 'operator-only', message, path, severity: 'info', alike });
  };
  for (const field of OPERATOR_FIELDS) {
    const value = get(get(object, 'spec'), field);
    if (value !== undefined && value !== null && value !== false) {
      const isOrder = field === 'dependsOn' && order !== 'none';
      const message = isOrder
        ? 'spec.dependsOn orders the objects that are rendered here; nothing waits for other objects of a cluster'
        : `spec.${field} means something to the operator alone, which applies in a cluster`;
      info(message, ['spec', field], field);
    }
  }
  for (const { object: one, path } of made) {
    for (const key of OPERATOR_ANNOTATIONS) {
      if (holds(one, key)) info(`${key} is resolved by the operator alone, and stays as it is written`, [...path], key);
    }
  }
}

/** The annotation of an object, or of the pods that it makes. */
function holds(object: ValueMap, key: string): boolean {
  const template = get(get(object, 'spec'), 'template');
  return [object, template].some((one) => {
    const annotations = get(get(one, 'metadata'), 'annotations');
    return isMap(annotations) && Object.hasOwn(annotations, key);
  });
}
