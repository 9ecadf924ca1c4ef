import { addTo } from '../../../core/model/group-by.ts';
import { onceFor } from '../../../core/model/lazily.ts';
import { type KubeObject, nameOf, namespaceOf } from '../../../core/model/object.ts';
import type { Repository } from '../repository.ts';
import { type Clusters, foldersOf } from './clusters.ts';

/** An object, and the file that contains it. */
export interface FiledObject {
  file: string;
  object: KubeObject;
}

interface Named extends FiledObject {
  /** Its place in the file. */
  index: number;
}

/** The objects of a kind and name, and those below each folder. */
interface Everywhere {
  found: readonly Named[];
  below: ReadonlyMap<string, readonly Named[]>;
}

/** Returns the objects of a kind and name: those of a cluster, or else those of no other cluster. */
export type FindNamed = (kind: string, name: string, namespace: string, cluster: string) => readonly KubeObject[];

export function createFindNamed(repository: Repository, clusters: Clusters): FindNamed {
  const namesIn = onceFor((kind: string) => onceFor((file: string) => namesOf(objectsIn([file], kind, repository))));
  const everywhere = onceFor((kind: string) =>
    onceFor((name: string) =>
      onceFor((namespace: string): Everywhere => {
        const files = repository.manifestsNaming(kind, name);
        return byFolder(files.flatMap((file) => namedIn(namesIn(kind)(file), name, namespace)));
      }),
    ),
  );
  return (kind, name, namespace, cluster) => {
    const { found, below } = everywhere(kind)(name)(namespace);
    const near = below.get(cluster) ?? [];
    const kept = near.length > 0 || found.length === 0 ? near : found.filter(clusters.isShared(cluster));
    return kept.map(({ object }) => object);
  };
}

/** Returns the objects of a kind. */
export function objectsIn(files: readonly string[], kind: string, repository: Repository): FiledObject[] {
  const found: FiledObject[] = [];
  for (const file of files) {
    for (const { object } of repository.objectsOf(file)) {
      if (object.kind === kind) found.push({ file, object });
    }
  }
  return found;
}

/** Returns objects by their names, and by names with namespaces. */
function namesOf(objects: readonly FiledObject[]): ReadonlyMap<string, readonly Named[]> {
  const names = new Map<string, Named[]>();
  for (const [index, { file, object }] of objects.entries()) {
    const named: Named = { file, object, index };
    addTo(names, nameOf(object), named);
    addTo(names, nameWithNamespace(nameOf(object), namespaceOf(object)), named);
  }
  return names;
}

const nameWithNamespace = (name: string, namespace: string): string => `${name}\n${namespace}`;

/** Returns the objects with a name in a file, in their order; those without a namespace may be in any. */
function namedIn(names: ReadonlyMap<string, readonly Named[]>, name: string, namespace: string): readonly Named[] {
  if (namespace === '') return names.get(name) ?? [];
  const found = ['', namespace].flatMap((one) => names.get(nameWithNamespace(name, one)) ?? []);
  return found.sort((a, b) => a.index - b.index);
}

function byFolder(found: readonly Named[]): Everywhere {
  const below = new Map<string, Named[]>();
  for (const one of found) {
    for (const folder of foldersOf(one.file)) addTo(below, folder, one);
  }
  return { found, below };
}
