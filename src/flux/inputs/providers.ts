import {
  type Collector,
  composeText,
  type Problem,
  phrase,
  type Reporter,
  reporterFor,
  shown,
} from '../../core/diagnostics/index.ts';
import { matches, parseSelector, type Selector, selectorText } from '../../core/model/label-selector.ts';
import { type InputObject, nameOf, namespaceOf } from '../../core/model/object.ts';
import { API_VERSION, PROVIDER } from '../../core/model/resource-set.ts';
import { equal, get, getAt, isMap, mapOf, textOf, type ValueMap } from '../../core/model/value.ts';
import { isAbsent } from '../../kubernetes/front-end/index.ts';
import { checkProviderRules, checkShape, PROVIDER_SPEC } from '../crd.ts';
import type { ResourceSetSpec } from '../spec.ts';
import { inputId, type ProviderInputs } from './combine.ts';

const EXPORTED = ['status', 'exportedInputs'];

/** The known providers. */
export interface Providers {
  /** As written in the package, and as ResourceSets render them. */
  written: InputObject[];
  /** As in a cluster, with `status.exportedInputs`. */
  observed: readonly InputObject[];
  /** Invalid ones, each of which is reported once, whoever reads it. */
  faulty: Set<InputObject>;
  reports: Collector;
}

/** The namespace and name of a ResourceSet. */
export interface NamespacedName {
  name: string;
  namespace: string;
}

/** A provider whose inputs only a cluster has, or all of a selector if none is known. */
export interface MissingProvider {
  name?: string;
  selector?: string;
  /** Its type; `undefined` if it is not known. */
  type: string | undefined;
  path: (string | number)[];
}

/** The inputs of `spec.inputsFrom`. */
export interface Selected {
  providers: ProviderInputs[];
  used: InputObject[];
  /** What was read of live providers: their inputs, and the labels of the selector. */
  live: { input: InputObject; labels: readonly string[] }[];
  missing: MissingProvider[];
}

export const nothingSelected = (): Selected => ({ providers: [], used: [], live: [], missing: [] });

/** Returns what a ResourceSet needs if no provider is known. */
export function unknownProviders({ inputsFrom }: ResourceSetSpec): MissingProvider[] {
  return inputsFrom.flatMap(({ name, selector }, index): MissingProvider[] => {
    const at = { type: undefined, path: ['spec', 'inputsFrom', index] };
    if (name !== undefined) return [{ name, ...at }];
    if (selector === undefined) return [];
    return [{ selector: selectorText(parseSelector(selector).selector), ...at }];
  });
}

/** What an unknown name in `inputsFrom` means: the ResourceSet is pending, or the name has no inputs. */
export type Absent = 'waiting' | 'warning' | 'nothing';

/** Selects the providers of a ResourceSet, each once, sorted by name. */
export function selectProviders(
  spec: ResourceSetSpec,
  set: NamespacedName,
  known: Providers,
  absent: Absent,
  reporter: Reporter,
): Selected | undefined {
  const selected = nothingSelected();
  const candidates = candidatesIn(set.namespace, known);
  const chosen = new Map<string, { path: (string | number)[]; keys: Set<string> }>();
  const choose = (name: string, path: (string | number)[], selector: Selector): void => {
    const known = chosen.get(name) ?? { path, keys: new Set() };
    for (const { key } of selector) known.keys.add(key);
    chosen.set(name, known);
  };
  spec.inputsFrom.forEach((reference, index) => {
    const path = ['spec', 'inputsFrom', index];
    if (reference.name !== undefined) {
      if (candidates.has(reference.name)) choose(reference.name, path, []);
      else if (absent === 'waiting') selected.missing.push({ name: reference.name, type: undefined, path });
      else if (absent === 'warning') reporter.report({ ...notFound(reference.name, set, path), severity: 'warning' });
      return;
    }
    if (reference.selector === undefined) return;
    const { selector, faults } = parseSelector(reference.selector);
    for (const { message, path: inner } of faults) {
      const at = [...path, 'selector', ...inner];
      reporter.report({ code: 'resourceset-shape', message: phrase`${message}`, path: at });
    }
    if (faults.length > 0) return;
    for (const [name, { labels }] of candidates) if (matches(selector, labels)) choose(name, path, selector);
  });
  let isWhole = true;
  for (const [name, { path, keys }] of [...chosen].sort(([a], [b]) => byBytes(a, b))) {
    const candidate = candidates.get(name);
    if (candidate === undefined) continue;
    if (isRefused(candidate, known)) isWhole = false;
    else addProvider(selected, name, { ...candidate, keys }, set.namespace, path);
  }
  return isWhole ? selected : undefined;
}

const byBytes = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

interface Candidate {
  input: InputObject;
  labels: ValueMap;
  observed: InputObject | undefined;
}

/** Returns the providers in the namespace of the ResourceSet, including those without a namespace. */
function candidatesIn(namespace: string, { written, observed }: Providers): Map<string, Candidate> {
  const isHere = ({ object }: InputObject): boolean => (namespaceOf(object) || namespace) === namespace;
  const live = new Map(observed.filter(isHere).map((one) => [nameOf(one.object), one]));
  const candidates = new Map<string, Candidate>();
  for (const input of [...written.filter(isHere), ...live.values()]) {
    const name = nameOf(input.object);
    if (candidates.has(name)) continue;
    const labels = mapOf(getAt(input.object, ['metadata', 'labels']));
    candidates.set(name, { input, labels, observed: live.get(name) });
  }
  return candidates;
}

export function notFound(name: string, set: NamespacedName, path: (string | number)[]): Problem {
  const message = phrase`no ${shown(PROVIDER)} '${{ name }}' in the namespace '${{ namespace: set.namespace }}'`;
  const hint = phrase`fix the name, add the provider to the package or to --definitions, or give the live one with --observed`;
  return { code: 'provider-not-found', message, path, hint };
}

/** Reports providers with the same name, because they contradict each other. Returns whether there are any. */
export function reportDuplicateNames(namespace: string, known: Providers): boolean {
  const first = new Map<string, InputObject>();
  let found = false;
  for (const input of known.written) {
    if ((namespaceOf(input.object) || namespace) !== namespace) continue;
    const name = nameOf(input.object);
    const earlier = first.get(name);
    if (earlier === undefined) first.set(name, input);
    else if (!equal(earlier.object, input.object)) {
      found = true;
      reportTwin(earlier, input, namespace, known);
      reportTwin(input, earlier, namespace, known);
    }
  }
  return found;
}

function reportTwin(input: InputObject, other: InputObject, namespace: string, { faulty, reports }: Providers): void {
  if (faulty.has(input)) return;
  faulty.add(input);
  const path = ['metadata', 'name'];
  const message = phrase`another ${shown(PROVIDER)} of the namespace '${{ namespace }}' is called '${{ name: nameOf(input.object) }}' too`;
  const related = [{ message: composeText`has the same name`, source: other.source, path }];
  const hint = phrase`rename or remove one of them`;
  reporterFor(input, reports).report({ code: 'provider-twice', message, path, related, hint });
}

function addProvider(
  selected: Selected,
  name: string,
  { input, observed, keys }: Candidate & { keys: ReadonlySet<string> },
  namespace: string,
  path: (string | number)[],
): void {
  selected.used.push(input);
  const type = getAt(input.object, ['spec', 'type']);
  // The package contains the inputs of a Static provider, perhaps newer than the cluster.
  const isWritten = type === 'Static' && input !== observed;
  const exported = isWritten ? undefined : exportedBy(observed);
  const origin = { name, kind: PROVIDER, apiVersion: API_VERSION, namespace };
  if (observed !== undefined && !isWritten) {
    selected.live.push({ input: observed, labels: input === observed ? [...keys] : [] });
  }
  const inputs = exported ?? (type === 'Static' ? undefined : exportedBy(input));
  if (inputs !== undefined) selected.providers.push({ ...origin, inputs });
  else if (type !== 'Static') selected.missing.push({ name, type: textOf(type), path });
  else {
    const values = { ...mapOf(getAt(input.object, ['spec', 'defaultValues'])), id: inputId(name) };
    selected.providers.push({ ...origin, inputs: [values] });
  }
}

/** Returns the inputs of a provider; `undefined` while they are unknown. */
function exportedBy(provider: InputObject | undefined): ValueMap[] | undefined {
  if (provider === undefined || isAbsent(provider.object, EXPORTED)) return undefined;
  const inputs = getAt(provider.object, EXPORTED);
  return Array.isArray(inputs) ? inputs.filter(isMap) : undefined;
}

/** Reports whether its CRD rejects a provider. One with only exported inputs has no spec to check. */
function isRefused({ input, observed }: Candidate, { faulty, reports }: Providers): boolean {
  if (input === observed || faulty.has(input)) return faulty.has(input);
  const spec = get(input.object, 'spec');
  const isLive = getAt(input.object, EXPORTED) !== undefined;
  if (spec === undefined && isLive) return false;
  const reporter = reporterFor(input, reports);
  const report = (problem: Problem): void => reporter.report(problem);
  checkShape(PROVIDER_SPEC, spec ?? {}, report);
  if (isMap(spec) && !reporter.failed()) checkProviderRules(spec, isLive, report);
  if (reporter.failed()) faulty.add(input);
  return reporter.failed();
}
