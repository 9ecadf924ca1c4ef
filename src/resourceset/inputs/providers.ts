import type { Problem, Reporter } from '../../diagnostics/index.ts';
import { matches, parseSelector } from '../../model/label-selector.ts';
import { type InputObject, nameOf, namespaceOf } from '../../model/object.ts';
import { get, getAt, isMap, type ValueMap } from '../../model/value.ts';
import { API_VERSION, PROVIDER } from '../kinds.ts';
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

/** What `spec.inputsFrom` gives; those that only a cluster can answer are named in `waiting`. */
export interface Selected {
  providers: ProviderInputs[];
  used: InputObject[];
  waiting: { name: string; type: string; path: (string | number)[] }[];
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
  const chosen = new Map<string, { path: (string | number)[] }>();
  spec.inputsFrom.forEach((reference, index) => {
    const path = ['spec', 'inputsFrom', index];
    if (reference.name !== undefined) {
      if (candidates.has(reference.name)) chosen.set(reference.name, chosen.get(reference.name) ?? { path });
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
      if (matches(selector, labels)) chosen.set(name, chosen.get(name) ?? { path });
    }
  });
  const selected: Selected = { providers: [], used: [], waiting: [] };
  for (const name of [...chosen.keys()].sort(byBytes)) {
    const candidate = candidates.get(name);
    if (candidate !== undefined)
      addProvider(selected, name, candidate, set.namespace, chosen.get(name)?.path ?? [], reporter);
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
  { input, observed }: Candidate,
  namespace: string,
  path: (string | number)[],
  reporter: Reporter,
): void {
  selected.used.push(input);
  const exported = observed && getAt(observed.object, ['status', 'exportedInputs']);
  const origin = { name, kind: PROVIDER, apiVersion: API_VERSION, namespace };
  if (Array.isArray(exported)) {
    selected.providers.push({ ...origin, inputs: exported.filter(isMap) });
    return;
  }
  const type = getAt(input.object, ['spec', 'type']);
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
