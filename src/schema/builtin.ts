import type { GroupVersionKind } from '../model/object.ts';
import { type Definitions, definitionsFrom } from './definitions.ts';
import type { KindRegistry } from './kinds.ts';
import { readNotation } from './notation.ts';
import type { KindInfo } from './schema.ts';
import { definitions, kinds } from './table/kubernetes.ts';

/** Kubernetes' own definitions by name without `io.k8s.`: `api.core.v1.Pod`. */
export const builtinDefinition: Definitions = definitionsFrom((schema, name, resolve) => {
  const text = textByName().get(name);
  if (text === undefined) return false;
  readNotation(schema, text, resolve);
  return true;
});

/** The kinds that an API server of Kubernetes itself serves, alpha and beta versions included. */
export const builtinKinds: KindRegistry = {
  find({ group, version, kind }): KindInfo | undefined {
    const line = kindLines().get(keyOf(group, version, kind));
    const schema = line && builtinDefinition(line.definition);
    return schema && { schema, namespaced: line.namespaced };
  },
  *names() {
    for (const { group, version, kind } of kindLines().values()) yield `${kind}.${version}.${group}`;
  },
};

interface KindLine extends GroupVersionKind {
  namespaced: boolean;
  definition: string;
}

const keyOf = (group: string, version: string, kind: string): string => `${group}/${version}/${kind}`;

const kindLines = once(() => {
  const lines = new Map<string, KindLine>();
  for (const line of kinds.split('\n')) {
    const [written = '', version = '', kind = '', scope, definition = ''] = line.split(' ');
    const group = written === '-' ? '' : written;
    lines.set(keyOf(group, version, kind), { group, version, kind, namespaced: scope === 'N', definition });
  }
  return lines;
});

/** The schemas as the table has them. Only those that are asked for are ever parsed: start-up time counts. */
const textByName = once(() => {
  const texts = new Map<string, string>();
  for (const line of definitions.split('\n')) {
    const space = line.indexOf(' ');
    texts.set(line.slice(0, space), line.slice(space + 1));
  }
  return texts;
});

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
