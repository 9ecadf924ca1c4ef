import {
  type Collector,
  composeText,
  type Problem,
  phrase,
  type Report,
  type Reporter,
  reportAgain,
  reporterFor,
  shown,
} from '../core/diagnostics/index.ts';
import { labelValueFault, nameFault, namespaceFault } from '../core/model/names.ts';
import {
  groupVersionKind,
  type InputObject,
  isKubeObject,
  isPassthrough,
  type KubeObject,
  nameOf,
  namespaceOf,
} from '../core/model/object.ts';
import type { RenderOptions } from '../core/model/render.ts';
import { API_VERSION, DEFAULT_NAMESPACE, GROUP, PROVIDER, SET } from '../core/model/resource-set.ts';
import { get, getAt, isMap, type Value, type ValueMap } from '../core/model/value.ts';
import { getCommand } from '../kubernetes/kubectl/index.ts';
import { instanceId } from '../kubernetes/label/index.ts';
import { type KindRegistry, unservedKind } from '../kubernetes/schema/index.ts';
import type { TemplateCost } from '../languages/gotemplate/index.ts';
import { canonicalYaml } from './canonical/index.ts';
import { combineInputs, type InputSet, type ProviderInputs } from './inputs/combine.ts';
import {
  type Absent,
  type NamespacedName,
  notFound,
  nothingSelected,
  type Providers,
  reportDuplicateNames,
  type Selected,
  selectProviders,
  unknownProviders,
} from './inputs/providers.ts';
import { renderSet, type SetObject } from './render/index.ts';
import { RenderBudget } from './render/templates.ts';
import { type ResourceSetSpec, readSpec } from './spec.ts';

/** What a ResourceSet can read besides itself. */
export interface ResourceSetContext {
  providers: Providers;
  /** Input sets of the user instead of the inline ones. */
  inputs?: Value;
  /** The budget of all templates together. */
  budget: RenderBudget;
  /** Whether the package is one named file, which is read as `flux-operator build rset -f` reads it. */
  isNamedFile: boolean;
  /** The kinds that CRDs, and Kubernetes or a cluster's document, describe. */
  kinds: () => KindRegistry;
  options: RenderOptions;
  reports: Collector;
}

/** The result of rendering a ResourceSet, with the providers that it took inputs from, or needs. */
export interface ExpandedSet extends Omit<Selected, 'providers'> {
  input: InputObject;
  place: NamespacedName;
  id: string;
  /** The input sets of its templates, with their titles; none if it is pending. */
  inputs: readonly InputSet[];
  rendered: readonly SetObject[];
  /** Unchanged, for the operator in the cluster. */
  passedThrough: boolean;
}

/** Renders one ResourceSet. All errors are reported; after an error there are no objects. */
function expandSet(input: InputObject, around: ResourceSetContext): ExpandedSet {
  const { object } = input;
  const { options, reports } = around;
  const place = { name: nameOf(object), namespace: namespaceOf(object) || options.namespace || DEFAULT_NAMESPACE };
  const id = instanceId({ group: GROUP, kind: SET, ...place });
  const { providers: _, ...nothing } = nothingSelected();
  const none: ExpandedSet = { input, place, id, inputs: [], rendered: [], ...nothing, passedThrough: false };
  if (isPassthrough(object)) return { ...none, passedThrough: true };
  const reporter = reporterFor(input, reports);
  if (!isPlaced(place, reporter)) return none;
  const report = (problem: Problem): void => reporter.report(problem);
  const spec = readSpec(object, report, around.isNamedFile ? 'warning' : 'error');
  if (spec === undefined) return none;
  const selected = selectInputs(spec, place, around, reporter);
  if (selected === undefined || reporter.failed()) return none;
  const { providers, ...reads } = selected;
  const asked = { ...none, ...reads };
  if (reads.missing.length > 0) return reportMissing(asked, around, reporter);
  if (around.inputs === undefined) reportEqualInputs(spec, input.source, report);
  const inputs = combineInputs(spec, [inline(spec, place, around), ...providers], report);
  if (reporter.failed()) return asked;
  if (inputs.length === 0 && spec.inputsFrom.length > 0) {
    reportNoInputs(reporter);
    return asked;
  }
  const { objects: rendered, hasDisabled } = renderSet(spec, place, inputs, around.budget, report, input);
  // The operator also applies nothing if all objects are disabled.
  if (rendered.length === 0 && !hasDisabled) reportNoObjects(reporter);
  reportUnserved(rendered, around.kinds, around.options, input, reporter);
  reportOperatorFields(object, rendered, options, reporter);
  return { ...asked, inputs, rendered: reporter.failed() ? [] : rendered };
}

/** Reports the kinds of rendered objects that the release of Kubernetes does not serve, each once for a template. */
function reportUnserved(
  rendered: readonly SetObject[],
  kinds: () => KindRegistry,
  { kubernetes }: RenderOptions,
  { secret }: InputObject,
  reporter: Reporter,
): void {
  const reported = new Set<string>();
  for (const { object, path } of rendered) {
    if (!isKubeObject(object)) continue;
    const gvk = groupVersionKind(object);
    const found = unservedKind(gvk, kubernetes);
    if (found === undefined || kinds().release === undefined || kinds().find(gvk) !== undefined) continue;
    const key = JSON.stringify([path, gvk]);
    if (reported.has(key)) continue;
    reported.add(key);
    // A line about several objects would name a kind that may be a value of a Secret.
    reporter.report({ ...found, path: [...path], alike: secret === undefined ? found.alike : undefined });
  }
}

/** Warns once of input sets that are written twice: of the objects of both, the operator uses the first. */
function reportEqualInputs(
  { inputs }: ResourceSetSpec,
  source: InputObject['source'],
  report: (problem: Problem) => void,
): void {
  const firsts = new Map<string, number>();
  const pairs = inputs.flatMap((values, index) => {
    const key = canonicalYaml(values);
    const first = firsts.get(key);
    if (first !== undefined) return [{ first, index }];
    firsts.set(key, index);
    return [];
  });
  const [pair] = pairs;
  if (pair === undefined) return;
  const { first, index } = pair;
  const more = pairs.length === 1 ? phrase`` : phrase`, and ${shown(pairs.length - 1)} more equal an earlier one`;
  const message = phrase`inputs[${shown(index)}] equals inputs[${shown(first)}], and renders the same objects${more}`;
  const related = [{ message: composeText`is equal`, source, path: ['spec', 'inputs', first] }];
  const hint = phrase`remove one of them`;
  report({ code: 'equal-inputs', message, path: ['spec', 'inputs', index], severity: 'warning', related, hint });
}

function reportNoInputs(reporter: Reporter): void {
  const message = phrase`no provider gives any inputs, so nothing is rendered`;
  reporter.report({ code: 'no-inputs', message, path: ['spec', 'inputsFrom'], severity: 'warning' });
}

/** Reports that a ResourceSet renders nothing, unless it has an error. */
function reportNoObjects(reporter: Reporter): void {
  if (reporter.failed()) return;
  const hint = phrase`add resources or resourcesTemplate, or look at conditions`;
  reporter.report({ code: 'no-objects', message: phrase`the ResourceSet renders no objects`, path: ['spec'], hint });
}

function inline(spec: ResourceSetSpec, place: NamespacedName, { inputs }: ResourceSetContext): ProviderInputs {
  const given = Array.isArray(inputs) ? inputs.filter(isMap) : spec.inputs;
  return { apiVersion: API_VERSION, kind: SET, ...place, inputs: given };
}

/**
 * Checks the namespace and the name, because the labels of its objects contain them, and reports whether there is a
 * name.
 */
function isPlaced({ name, namespace }: NamespacedName, reporter: Reporter): boolean {
  if (name === '') {
    reporter.report({ code: 'resourceset-shape', message: phrase`a ResourceSet needs a name`, path: ['metadata'] });
    return false;
  }
  const nameReason = nameFault({ group: GROUP, kind: SET }, name) ?? labelValueFault(name);
  if (nameReason !== undefined) {
    const message = phrase`a ResourceSet cannot be called '${{ name }}', which becomes a label of its objects: ${{ reason: nameReason }}`;
    reporter.report({ code: 'object-name', message, path: ['metadata', 'name'] });
  }
  const reason = namespaceFault(namespace);
  if (reason === undefined) return true;
  const message = phrase`'${{ namespace }}' is not a valid namespace: ${{ reason }}`;
  reporter.report({ code: 'object-namespace', message, path: ['metadata', 'namespace'] });
  return true;
}

const hasProviders = ({ written, observed }: Providers): boolean => written.length + observed.length > 0;

/** Returns the inputs of inputsFrom. Without any provider, nothing is known. */
function selectInputs(
  spec: ResourceSetSpec,
  place: NamespacedName,
  { providers, inputs, isNamedFile }: ResourceSetContext,
  reporter: Reporter,
): Selected | undefined {
  const none = nothingSelected();
  if (inputs !== undefined && !(Array.isArray(inputs) && inputs.every(isMap))) {
    const message = phrase`--inputs-from expects a list of input sets, each of them a map`;
    reporter.report({ code: 'inputs-file', message, path: [], hint: phrase`write a list, with - before each set` });
    return undefined;
  }
  if (spec.inputsFrom.length === 0) return none;
  if (!hasProviders(providers)) {
    return inputs === undefined ? { ...none, missing: unknownProviders(spec) } : none;
  }
  if (reportDuplicateNames(place.namespace, providers)) return undefined;
  const absent: Absent =
    inputs !== undefined ? 'nothing' : isNamedFile && spec.inputs.length > 0 ? 'warning' : 'waiting';
  return selectProviders(spec, place, providers, absent, reporter);
}

/** The operator calls providers of other types than Static: only a live one has the result. */
function reportMissing(asked: ExpandedSet, around: ResourceSetContext, reporter: Reporter): ExpandedSet {
  const { onPending } = around.options;
  const severity = onPending === 'skip' ? 'warning' : onPending === 'passthrough' ? 'info' : 'error';
  const isUnknown = asked.used.length === 0 && !hasProviders(around.providers);
  for (const { name, type, path } of asked.missing) {
    if (isUnknown) continue;
    if (type === undefined) {
      // It is not pending: the operator rejects it. If the ResourceSet is left to the operator, it does not concern the
      // rendering.
      const isLeft = onPending === 'passthrough';
      if (name !== undefined) reporter.report({ ...notFound(name, asked.place, path), ...(isLeft && { severity }) });
      continue;
    }
    const what = type === '' ? 'names no type' : `is of type ${type}, which asks a service`;
    const message = phrase`ResourceSetInputProvider/${{ name: name ?? '' }} ${what}: only the cluster has its inputs`;
    const object = { apiVersion: API_VERSION, kind: PROVIDER, namespace: asked.place.namespace, name };
    const command = getCommand(object, ['-o', 'yaml']);
    const live = command === undefined ? '' : ` (${command})`;
    const hint = phrase`supply the live provider with --observed${live}, or the inputs with --inputs-from`;
    reporter.report({ code: 'provider-pending', message, path, hint, severity });
  }
  if (isUnknown) {
    const message = phrase`the inputs come from providers, and no provider is in the input`;
    const hint = phrase`add ResourceSetInputProviders of type Static, give live ones with --observed, or a list of input sets with --inputs-from`;
    reporter.report({ code: 'provider-pending', message, path: ['spec', 'inputsFrom'], hint, severity });
  }
  return { ...asked, passedThrough: onPending === 'passthrough' };
}

const OPERATOR_FIELDS = ['dependsOn', 'wait'];
const OPERATOR_ANNOTATIONS = ['copyFrom', 'convertKubeConfigFrom', 'checksumFrom'].map((name) => `${GROUP}/${name}`);

/** Reports what the operator would do in a cluster, but a rendering cannot. */
function reportOperatorFields(
  object: KubeObject,
  rendered: readonly SetObject[],
  { order }: RenderOptions,
  reporter: Reporter,
): void {
  const info = (message: string, path: (string | number)[], alike: string): void => {
    reporter.report({ code: 'operator-only', message: phrase`${message}`, path, severity: 'info', alike });
  };
  for (const field of OPERATOR_FIELDS) {
    const value = get(get(object, 'spec'), field);
    if (value !== undefined && value !== null && value !== false) {
      const isOrder = field === 'dependsOn' && order !== 'none';
      const message = isOrder
        ? 'spec.dependsOn orders the objects that are rendered here; nothing is pending for other objects of a cluster'
        : `spec.${field} means something to the operator alone, which applies in a cluster`;
      info(message, ['spec', field], field);
    }
  }
  for (const { object: one, path } of rendered) {
    for (const key of OPERATOR_ANNOTATIONS) {
      if (hasAnnotation(one, key))
        info(`${key} is resolved only by the operator, and is printed unchanged`, [...path], key);
    }
  }
}

/** Reports whether an object, or its pod template, has an annotation. */
function hasAnnotation(object: ValueMap, key: string): boolean {
  const template = get(get(object, 'spec'), 'template');
  return [object, template].some((one) => {
    const annotations = get(get(one, 'metadata'), 'annotations');
    return isMap(annotations) && Object.hasOwn(annotations, key);
  });
}

/** The last rendering of a ResourceSet, and its cost. */
interface Cached {
  expanded: ExpandedSet;
  reports: readonly Report[];
  options: RenderOptions;
  isNamedFile: boolean;
  cost: TemplateCost;
}

/** By the parsed object, which is never changed, and which two versions of a package share. */
const cache = new WeakMap<KubeObject, Cached>();

export const renderBudget = (options: RenderOptions): RenderBudget => new RenderBudget(options);

/** Renders a ResourceSet, or returns the cached rendering if it cannot have changed. */
export function expandSetOnce(input: InputObject, around: ResourceSetContext): ExpandedSet {
  const { isNamedFile, inputs, options, reports } = around;
  const { meter } = around.budget;
  const from = getAt(input.object, ['spec', 'inputsFrom']) ?? [];
  const readsItself = inputs === undefined && Array.isArray(from) && from.length === 0 && input.secret === undefined;
  // After earlier errors, its own may have been cut off.
  if (!readsItself || reports.hasErrors) return expandSet(input, around);
  const known = cache.get(input.object);
  if (known?.options === options && known.isNamedFile === isNamedFile && meter.replay(known.cost)) {
    reportAgain(known.reports, input, reports);
    return { ...known.expanded, input };
  }
  const before = meter.cost();
  const own = reports.part();
  const expanded = expandSet(input, { ...around, reports: own });
  const [steps, , bytes] = meter.cost();
  // Other locations are in the text that was read then.
  if (steps >= 0 && bytes >= 0 && own.all.every(({ related }) => related === undefined)) {
    cache.set(input.object, { expanded, reports: own.all, options, isNamedFile, cost: meter.cost(before) });
  }
  return expanded;
}
