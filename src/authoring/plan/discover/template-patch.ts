import { get, isMap, mapItems, setKey, type Value, type ValueMap } from '../../../core/model/value.ts';
import { NotRendered, rejected } from '../not-rendered.ts';
import { yamlValue } from './template-functions.ts';

/**
 * Applies the text of a templatePatch, in which the parameters are filled, to an Application. Argo CD applies it as a
 * strategic merge patch. Lists of Applications are replaced, so that it differs from a JSON merge patch by its directives
 * only. The project stays, as in Argo CD.
 * @throws NotRendered if it is no patch
 */
export function applyTemplatePatch(application: ValueMap, text: string): ValueMap {
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
    const known = merged[key];
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
