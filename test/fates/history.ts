/** An object as JSON. */
export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: {
    name: string;
    namespace?: string;
    annotations?: Record<string, string>;
    labels?: Record<string, string>;
    finalizers?: string[];
  };
  spec?: Record<string, unknown>;
  data?: Record<string, string>;
}

/** What one commit has: the objects that people apply, and those of each folder that a controller reads. */
export interface Version {
  people: readonly Manifest[];
  folders: Readonly<Record<string, readonly Manifest[]>>;
}

/** A change of a repository, and who acts after it. */
export interface History {
  /** What the change does, in a few words. */
  title: string;
  before: Version;
  after: Version;
  /** The controllers by their objects, and the two parts of what people do. */
  actors: readonly string[];
  /** The namespace of its objects. */
  namespace: string;
  /** The folder of what people apply. */
  people: string;
}

/** What happened to the objects of the older version, by `Kind namespace/name`, in one order of the actors. */
export type Fates = Readonly<Record<string, ObservedFate>>;

export interface ObservedFate {
  /** Whether a controller deleted it without a person. */
  deleted: boolean;
  /** The same, when people also confirm deletions, and sync what does not sync itself. */
  deletedLater: boolean;
}

/** The URL of the generated repository. */
export const URL = 'https://git.example.com/team/fleet.git';

/** Returns an object of a kind, with the least that the API server requires. */
export function claimOrMap(kind: string, metadata: Manifest['metadata']): Manifest {
  if (kind !== 'PersistentVolumeClaim') {
    return { apiVersion: 'v1', kind, metadata, data: { v: kind === 'Secret' ? 'YQ==' : 'a' } };
  }
  const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
  return { apiVersion: 'v1', kind, metadata, spec };
}

export const keyOf = ({ kind, metadata }: Manifest): string => `${kind} ${metadata.namespace ?? ''}/${metadata.name}`;

/** Returns every order of some actors, or so many of them at random. */
export function ordersOf<T>(actors: readonly T[], most: number, int: (min: number, max: number) => number): T[][] {
  const all = permutationsOf(actors);
  while (all.length > most) all.splice(int(0, all.length - 1), 1);
  return all;
}

function permutationsOf<T>(items: readonly T[]): T[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, index) => {
    const rest = [...items.slice(0, index), ...items.slice(index + 1)];
    return permutationsOf(rest).map((others) => [item, ...others]);
  });
}
