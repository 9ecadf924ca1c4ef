import table from '../../../data/kubernetes.json';
import type { GroupVersionKind } from '../../core/model/object.ts';
import { type Definitions, definitionsFrom } from './definitions.ts';
import type { KindRegistry } from './kinds.ts';
import { readNotation } from './notation.ts';
import type { KindInfo } from './schema.ts';

/** The format of the table is described in tools/kubernetes-types/README.md. */
const { definitions, kinds } = table;

/** Kubernetes' own definitions by name without `io.k8s.`: `api.core.v1.Pod`. */
export const builtinDefinition: Definitions = definitionsFrom({
  find: textOf,
  read: (schema, text, _, definition) => readNotation(schema, text, definition),
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

/**
 * Returns the schema of a definition in the table, whose lines are sorted by name. Others are not parsed, to start
 * fast.
 */
function textOf(name: string): string | undefined {
  const wanted = `${name} `;
  let from = 0;
  let to = definitions.length;
  while (from < to) {
    const start = definitions.lastIndexOf('\n', ((from + to) >> 1) - 1) + 1;
    const end = lineEnd(start);
    if (definitions.startsWith(wanted, start)) return definitions.slice(start + wanted.length, end);
    if (definitions.slice(start, start + wanted.length) < wanted) from = end + 1;
    else to = start;
  }
  return undefined;
}

function lineEnd(start: number): number {
  const end = definitions.indexOf('\n', start);
  return end < 0 ? definitions.length : end;
}

function once<T>(make: () => T): () => T {
  let cached: { value: T } | undefined;
  return () => {
    cached ??= { value: make() };
    return cached.value;
  };
}
