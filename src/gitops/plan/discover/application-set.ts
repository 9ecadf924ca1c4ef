import { APPLICATION_SET_BYTES, APPLICATION_SET_STEPS } from '../../../core/model/limits.ts';
import { type KubeObject, nameOf, namespaceOf } from '../../../core/model/object.ts';
import {
  get,
  getAt,
  isMap,
  mapItems,
  mapOf,
  ownValue,
  setKey,
  textAt,
  textsOf,
  type Value,
  type ValueMap,
} from '../../../core/model/value.ts';
import { Meter, type MissingKey } from '../../../languages/gotemplate/index.ts';
import { toJsonText } from '../../../yaml/emit/index.ts';
import { type Application, applicationAt, type Discovery } from '../application.ts';
import { isSameRepository, NotRendered, rejected } from '../repository.ts';
import type { Refusal } from './admission.ts';
import { readApplication } from './argocd.ts';
import { type GeneratorContext, generate, hasType, templateFor } from './generators.ts';
import { fill, TemplateError, type TemplateLanguage, templated, yamlValue } from './parameters.ts';
import { destinationFault } from './spec-faults.ts';

/** A strategic merge patch that replaces lists of Applications; the project stays. @throws NotRendered if it is none */
function applyTemplatePatch(application: ValueMap, text: string): ValueMap {
  const patch = read(text);
  if (patch === null) return application;
  refuseOtherTypes(patch);
  const patched = mergedMap(application, patch, []);
  const project = get(get(application, 'spec'), 'project');
  return project === undefined || !isMap(patched.spec) ? patched : { ...patched, spec: { ...patched.spec, project } };
}

const fail = (message: string): NotRendered => rejected(`its templatePatch ${message}`);

function read(text: string): ValueMap | null {
  // What begins as JSON is read as JSON, not as YAML.
  if (text.trim().startsWith('{')) {
    try {
      JSON.parse(text);
    } catch (error) {
      throw fail(`is no JSON, which its first character promises: ${(error as Error).message}`);
    }
  }
  const patch = yamlValue(text);
  if ('fault' in patch) throw fail(`is no YAML: ${patch.fault}`);
  if (patch.value === null || isMap(patch.value)) return patch.value;
  throw fail('is no map');
}

/** Argo CD decodes the patch. The types of labels and annotations are those that people get wrong. */
function refuseOtherTypes(patch: ValueMap): void {
  for (const field of ['labels', 'annotations']) {
    const map = get(patch.metadata, field);
    const entries = isMap(map) ? Object.entries(map) : [];
    const wrong = entries.find(([, value]) => value !== null && typeof value !== 'string');
    if (wrong !== undefined) throw fail(`sets metadata.${field}.${wrong[0]} to a value that is no string`);
  }
}

/** Fields of which Argo CD has no schema: Kubernetes cannot merge maps or lists in them. */
const RAW_FIELDS = ['valuesObject'];

function mergedMap(original: ValueMap, patch: ValueMap, path: readonly string[]): ValueMap {
  const directive = patch.$patch;
  if (directive === 'delete') return {};
  if (directive === 'replace') {
    const { $patch, ...rest } = patch;
    return rest;
  }
  const merged: ValueMap = { ...original };
  for (const [key, value] of Object.entries(patch)) {
    if (key.startsWith('$')) throw new NotRendered(`its templatePatch has ${key}, which is not supported`);
    const known = ownValue(merged, key);
    if (value === null) delete merged[key];
    else if ((isMap(known) && isMap(value)) || (Array.isArray(known) && Array.isArray(value))) {
      refuseRaw(path, key);
      setKey(merged, key, isMap(known) && isMap(value) ? mergedMap(known, value, [...path, key]) : value);
    } else {
      const added = asAdded(value);
      if (added === undefined) delete merged[key];
      else setKey(merged, key, added);
    }
  }
  return merged;
}

/** A value that the Application lacks: without nulls, and without maps that a directive removes. */
function asAdded(value: Value): Value | undefined {
  if (isMap(value) && '$patch' in value) return undefined;
  return mapItems(value, (item, key) => (item === null && typeof key === 'string' ? undefined : asAdded(item)));
}

function refuseRaw(path: readonly string[], key: string): void {
  const raw = RAW_FIELDS.find((field) => path.includes(field));
  if (raw !== undefined) throw fail(`has ${key} in ${raw}, which the template has too, and Argo CD cannot merge it`);
}

/** What an ApplicationSet declares: its Applications, or itself with the reason why they are unknown or rejected. */
export interface ExpandedSet {
  applications: Application[];
  /** The generated objects by their name. */
  generated: ReadonlyMap<string, KubeObject>;
}

export function readApplicationSet(set: ValueMap, place: string, given: Discovery, refusal: Refusal): ExpandedSet {
  const key = JSON.stringify([namespaceOf(set), nameOf(set), place]);
  const namespace = namespaceOf(set);
  const itself = (source: Application['sources'][number]): ExpandedSet => {
    const application = { ...applicationAt('ApplicationSet', nameOf(set), '', source), namespace, place, set: key };
    return { applications: [application], generated: new Map() };
  };
  try {
    const made = applicationsOf(set, given).map((one) => asApplication(one, namespace));
    const twice = repeatedName(made.map(nameOf));
    if (twice !== undefined) {
      throw rejected(twice === '' ? 'it makes an Application without a name' : `it makes ${twice} twice`);
    }
    for (const application of made) {
      const fault = refusal(application);
      if (fault !== undefined) throw rejected(`it makes the Application ${nameOf(application)}, and ${fault}`);
    }
    const applications = made.map((application): Application => {
      const own = {
        ...readApplication(application, `${place} (ApplicationSet ${nameOf(set)})`, given, set),
        namespace,
        set: key,
      };
      // The controller leaves one with such a destination as it is.
      return destinationFault(getAt(application, ['spec', 'destination']) ?? null) === undefined
        ? own
        : { ...own, refused: true };
    });
    return { applications, generated: new Map(made.map((one) => [nameOf(one), one])) };
  } catch (error) {
    if (!(error instanceof NotRendered)) throw error;
    const { message: reason, type } = error;
    if (type === 'fails') return itself({ type, path: '', reason });
    const elsewhere = { chart: '', version: '', values: null, rest: get(set, 'spec') ?? null, path: '', files: [] };
    return itself({ type, path: '', reason, ...(isElsewhere(set, given.urls) && { elsewhere }) });
  }
}

/** Returns the first name that is empty, or was there before. */
function repeatedName(names: readonly string[]): string | undefined {
  const seen = new Set<string>();
  for (const name of names) {
    if (name === '' || seen.has(name)) return name;
    seen.add(name);
  }
  return undefined;
}

/** Returns a generated Application as the controller creates it. */
function asApplication(generated: ValueMap, namespace: string): KubeObject {
  const metadata = { ...mapOf(generated.metadata), ...(namespace !== '' && { namespace }) };
  return { ...generated, apiVersion: 'argoproj.io/v1alpha1', kind: 'Application', metadata };
}

/** Reports whether all Applications of a set are deployed from other repositories. */
function isElsewhere(set: ValueMap, urls: readonly string[]): boolean {
  const spec = get(get(get(set, 'spec'), 'template'), 'spec');
  const sources = [get(spec, 'sources') ?? [], get(spec, 'source') ?? null].flat().filter(isMap);
  const hasTemplates = toJsonText(get(set, 'spec') ?? null).match(/"template(Patch)?":/g)?.length !== 1;
  return (
    !hasTemplates &&
    sources.length > 0 &&
    sources.every((source) => {
      const url = textAt(source, 'repoURL');
      return url !== '' && !url.includes('{{') && !isSameRepository(url, urls);
    })
  );
}

/** @throws NotRendered with the reason why they are not known, or why Argo CD rejects it */
export function applicationsOf(set: ValueMap, given: Omit<GeneratorContext, 'language'>): ValueMap[] {
  const spec = get(set, 'spec');
  const generators = get(spec, 'generators');
  const template = get(spec, 'template');
  const patch = get(spec, 'templatePatch');
  if (!isMap(template) || !Array.isArray(generators)) throw rejected('it has no template and generators');
  const meter = given.meter ?? new Meter({ maxSteps: APPLICATION_SET_STEPS, maxBytes: APPLICATION_SET_BYTES });
  const language = languageOf(spec, meter);
  const context = { ...given, language };
  const applicationOf = (own: ValueMap, parameters: ValueMap): ValueMap => {
    // Argo CD leaves a template alone that has no parameters.
    const isAsItIs = Object.keys(parameters).length === 0;
    const application = isAsItIs ? own : inPart('template', () => fill(own, parameters, language) as ValueMap);
    if (typeof patch !== 'string') return application;
    return applyTemplatePatch(
      application,
      inPart('templatePatch', () => templated(patch, parameters, language)),
    );
  };
  return generators.filter(hasType).flatMap((generator) => {
    const own = templateFor(generator, template);
    const sets = inPart('generators', () => generate(generator, context));
    return sets.map((parameters) => applicationOf(own, parameters));
  });
}

function inPart<T>(part: 'generators' | 'template' | 'templatePatch', work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    if (error.kind === 'budget') throw new NotRendered(`its generators and templates take too much: ${error.message}`);
    throw rejected(`${part === 'generators' ? 'a template of its generators' : `its ${part}`} fails: ${error.message}`);
  }
}

function languageOf(spec: Value | undefined, meter: Meter): TemplateLanguage {
  const goTemplate = get(spec, 'goTemplate') === true;
  let missingKey: MissingKey = 'default';
  for (const option of goTemplate ? textsOf(get(spec, 'goTemplateOptions')) : []) {
    const [, known] = /^missingkey=(default|invalid|zero|error)$/.exec(option) ?? [];
    if (known === undefined) throw rejected(`its goTemplateOptions has ${option}, which Go does not know`);
    missingKey = known === 'invalid' ? 'default' : (known as MissingKey);
  }
  return { goTemplate, missingKey, meter };
}
