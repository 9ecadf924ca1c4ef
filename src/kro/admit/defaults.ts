import { type Collector, composeText, type Text, trusted } from '../../core/diagnostics/index.ts';
import {
  type Document,
  groupKind,
  groupVersionKind,
  type InputObject,
  isKubeObject,
  type KubeObject,
} from '../../core/model/object.ts';
import { get, isMap, setKey, type Value, type ValueMap } from '../../core/model/value.ts';
import type { Graph, Graphs } from '../compile/index.ts';

/**
 * Sets the defaults of graphs, which add them to their instances before admission. The defaults of a kind are an object
 * with a `spec`; defaults of unknown kinds are ignored, because other packages may define them.
 */
export function withDefaults(graphs: Graphs, documents: readonly Document[], reports: Collector): Graphs {
  const known = defaultsIn(documents, reports);
  if (known.size === 0) return graphs;
  return new Map(
    [...graphs].map(([kind, graph]): [string, Graph] => {
      const defaults = known.get(kind);
      if (defaults === undefined) return [kind, graph];
      const { admission } = graph;
      const admit: typeof admission.admit = (object, budget, explains) =>
        admission.admit(filled(object, defaults), budget, explains);
      return [kind, { ...graph, defaults, admission: { ...admission, admit } }];
    }),
  );
}

function defaultsIn(documents: readonly Document[], reports: Collector): Map<string, InputObject> {
  const known = new Map<string, InputObject>();
  for (const { object, source } of documents) {
    const report = (message: Text, hint?: Text): void =>
      reports.add({ code: 'defaults-file', message, path: [], source, hint });
    if (!isKubeObject(object)) {
      report(composeText`the defaults of a kind are an object with apiVersion, kind and spec`);
      continue;
    }
    const other = Object.keys(object).find((key) => !['apiVersion', 'kind', 'spec'].includes(key));
    const kind = groupKind(groupVersionKind(object));
    if (other !== undefined)
      report(
        composeText`defaults have no ${trusted.definition(other)}`,
        composeText`they apply to every instance of their kind; write only spec`,
      );
    else if (!isMap(get(object, 'spec'))) report(composeText`defaults need a spec that is a map`);
    else if (known.has(kind))
      report(composeText`there are defaults of ${trusted.definition(kind)} twice`, composeText`join them`);
    else known.set(kind, { object, source });
  }
  return known;
}

/** Returns an instance with the defaults of its missing fields. A list is one value. */
function filled(object: KubeObject, { object: defaults }: InputObject): KubeObject {
  const spec = get(object, 'spec') ?? {};
  return isMap(spec) ? { ...object, spec: merged(get(defaults, 'spec') as ValueMap, spec) } : object;
}

function merged(defaults: ValueMap, own: ValueMap): ValueMap {
  const result: ValueMap = { ...own };
  for (const [key, value] of Object.entries(defaults)) {
    const given: Value | undefined = get(own, key);
    if (given === undefined) setKey(result, key, value);
    else if (isMap(given) && isMap(value)) setKey(result, key, merged(value, given));
  }
  return result;
}
