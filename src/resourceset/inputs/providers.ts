import type { Problem, Reporter } from '../../diagnostics/index.ts';
import { matches, parseSelector, type Selector, selectorText } from '../../model/label-selector.ts';
import { type InputObject, nameOf, namespaceOf } from '../../model/object.ts';
import { API_VERSION, PROVIDER } from '../../model/resource-set.ts';
import { get, getAt, isMap, type ValueMap } from '../../model/value.ts';
import type { ResourceSetSpec } from '../spec.ts';
import type { ProviderInputs } from './combine.ts';
import { inputId } from './ids.ts';

/** The providers that an input knows. */
export interface Providers {
  /** As their authors wrote them, by namespace and name. */
  written: readonly InputObject[];
  /** As a cluster has them, with `status.exportedInputs`. */
  observed: readonly InputObject[];
}

/** Where a ResourceSet is. */
export interface SetPlace {
  name: string;
  namespace: string;
}

/** A provider that only a cluster can answer for, or all of a selector where none is known. */
export interface WaitingFor {
  name?: string;
  selector?: string;
  type: string;
  path: (string | number)[];
}

/** What `spec.inputsFrom` gives. */
export interface Selected {
  providers: ProviderInputs[];
  used: InputObject[];
  /** What was read of live providers: their inputs, and the labels by which they were selected. */
  live: { input: InputObject; labels: readonly string[] }[];
  waiting: WaitingFor[];
}

export const nothingSelected = (): Selected => ({ providers: [], used: [], live: [], waiting: [] });

/** What a ResourceSet waits for when no provider at all is known. */
export function unknownProviders({ inputsFrom }: ResourceSetSpec): WaitingFor[] {
  return inputsFrom.flatMap(({ name, selector }, index): WaitingFor[] => {
    const at = { type: '', path: ['spec', 'inputsFrom', index] };
    if (name !== undefined) return [{ name, ...at }];
    if (selector === undefined) return [];
    return [{ selector: selectorText(parseSelector(selector).selector), ...at }];
  });
}

/** Selects the providers that a ResourceSet refers to, each once, sorted by name. */
export function selectProviders(
  spec: ResourceSetSpec,
  set: SetPlace,
  known: Providers,
  hasInputsFile: boolean,
  reporter: Reporter,
): Selected {
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
      else if (!hasInputsFile) reporter.report(notFound(reference.name, set, path));
      return;
    }
    if (reference.selector === undefined) {
      const hint = 'add the name of a ResourceSetInputProvider, or a selector';
      reporter.report({
        code: 'resourceset-shape',
        message: 'an entry of inputsFrom needs a name or a selector',
        path,
        hint,
      });
      return;
    }
    const { selector, faults } = parseSelector(reference.selector);
    for (const { message, path: inner } of faults) {
      reporter.report({ code: 'resourceset-shape', message, path: [...path, 'selector', ...inner] });
    }
    if (faults.length > 0) return;
    for (const [name, { labels }] of candidates) {
      if (matches(selector, labels)) choose(name, path, selector);
    }
  });
  const selected = nothingSelected();
  for (const [name, { path, keys }] of [...chosen].sort(([a], [b]) => byBytes(a, b))) {
    const candidate = candidates.get(name);
    if (candidate !== undefined) addProvider(selected, name, { ...candidate, keys }, set.namespace, path, reporter);
  }
  return selected;
}

const byBytes = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

interface Candidate {
  input: InputObject;
  labels: ValueMap;
  observed: InputObject | undefined;
}

/** Providers of the namespace of the ResourceSet; one that names none is there. */
function candidatesIn(namespace: string, { written, observed }: Providers): Map<string, Candidate> {
  const isHere = ({ object }: InputObject): boolean => (namespaceOf(object) || namespace) === namespace;
  const live = new Map(observed.filter(isHere).map((one) => [nameOf(one.object), one]));
  const candidates = new Map<string, Candidate>();
  for (const input of [...written.filter(isHere), ...live.values()]) {
    const name = nameOf(input.object);
    if (candidates.has(name)) continue;
    const labels = getAt(input.object, ['metadata', 'labels']);
    candidates.set(name, { input, labels: isMap(labels) ? labels : {}, observed: live.get(name) });
  }
  return candidates;
}

function notFound(name: string, set: SetPlace, path: (string | number)[]): Problem {
  const message = `there is no ResourceSetInputProvider '${name}' in the namespace '${set.namespace}', and it gives nothing`;
  const hint = 'add it to the package or to --definitions, or give the live one with --observed';
  return { code: 'provider-not-found', message, path, severity: 'warning', hint };
}

function addProvider(
  selected: Selected,
  name: string,
  { input, observed, keys }: Candidate & { keys: ReadonlySet<string> },
  namespace: string,
  path: (string | number)[],
  reporter: Reporter,
): void {
  selected.used.push(input);
  const type = getAt(input.object, ['spec', 'type']);
  // What a Static provider gives stands in the package, where it may be newer than in the cluster.
  const isWritten = type === 'Static' && input !== observed;
  const exported = observed && getAt(observed.object, ['status', 'exportedInputs']);
  const origin = { name, kind: PROVIDER, apiVersion: API_VERSION, namespace };
  if (observed !== undefined && !isWritten) {
    selected.live.push({ input: observed, labels: input === observed ? [...keys] : [] });
  }
  if (Array.isArray(exported) && !isWritten) {
    selected.providers.push({ ...origin, inputs: exported.filter(isMap) });
    return;
  }
  if (type !== 'Static') {
    selected.waiting.push({ name, type: typeof type === 'string' ? type : '', path });
    return;
  }
  const values = get(get(input.object, 'spec'), 'defaultValues');
  if (values !== undefined && values !== null && !isMap(values)) {
    reporter.report({
      code: 'resourceset-shape',
      message: `spec.defaultValues of ${PROVIDER}/${name} must be a map`,
      path,
    });
    return;
  }
  selected.providers.push({ ...origin, inputs: [{ ...(isMap(values) ? values : {}), id: inputId(name) }] });
}
