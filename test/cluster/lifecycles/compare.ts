/** Compares what an API server serves, and warns about, with the tables of lifecycles and of releases. */
import table from '../../../data/kubernetes-lifecycles.json';
import type { GroupVersionKind } from '../../../src/core/model/object.ts';
import type { KubernetesRelease } from '../../../src/core/model/render.ts';
import { kindName, kubernetesKinds } from '../../../src/kubernetes/schema/index.ts';
import { isEarlier, type Lifecycle, lifecycleOf } from '../../../src/kubernetes/schema/lifecycles.ts';
import type { Api } from '../control-plane/api.ts';
import { isMissing, type Served, servedKinds } from './served.ts';

/** The figures of one release. */
export interface Compared {
  served: number;
  deprecated: number;
  removed: number;
  /** Kinds of the tables that the API server serves only with a feature gate that is not on. */
  gated: readonly string[];
  faults: readonly string[];
}

export async function compareRelease(api: Api, release: KubernetesRelease): Promise<Compared> {
  const served = await servedKinds(api);
  const names = new Set(served.map(({ kind }) => kindName(kind)));
  const faults = served.flatMap((one) => warningFaults(one, release));
  const known = new Set(kubernetesKinds(release).names());
  faults.push(...[...names].filter((name) => !known.has(name)).map((name) => `${name} is served, and in no table`));
  const unserved = [...known].filter((name) => !names.has(name));
  const gone = listedKinds().filter((kind) => isRemovedIn(kind, release));
  for (const kind of gone) {
    const isServed = names.has(kindName(kind)) || !(await isMissing(api, kind));
    if (isServed) faults.push(`${kindName(kind)} is served, and removed in the table`);
  }
  return {
    served: served.length,
    deprecated: served.filter(({ warned }) => warned !== undefined).length,
    removed: gone.length,
    gated: unserved,
    faults,
  };
}

/** Returns the kinds of the table of lifecycles. */
function listedKinds(): GroupVersionKind[] {
  return table.kinds.split('\n').map((line) => {
    const [group = '', version = '', kind = ''] = line.split(' ');
    return { group: group === '-' ? '' : group, version, kind };
  });
}

function isRemovedIn(kind: GroupVersionKind, release: string): boolean {
  const removed = lifecycleOf(kind)?.removed;
  return removed !== undefined && !isEarlier(release, removed);
}

/** Returns what the Warning headers about a kind say otherwise than the table. */
function warningFaults({ kind, warned, others }: Served, release: string): string[] {
  const unread = others.map((text) => `not understood: ${text}`);
  const { deprecated, removed, replacement } = lifecycleOf(kind) ?? {};
  const isDeprecated = deprecated !== undefined && !isEarlier(release, deprecated);
  const ours: Lifecycle | undefined = isDeprecated ? { deprecated } : undefined;
  if (ours !== undefined && removed !== undefined) ours.removed = removed;
  if (ours !== undefined && replacement !== undefined) ours.replacement = replacement;
  const here = textOf(ours);
  const there = textOf(warned);
  return here === there ? unread : [...unread, `${kindName(kind)}: the table says ${here}, the API server ${there}`];
}

function textOf(lifecycle: Lifecycle | undefined): string {
  if (lifecycle === undefined) return 'nothing';
  const { deprecated, removed = '-', replacement } = lifecycle;
  return `${deprecated} ${removed} ${replacement === undefined ? '-' : kindName(replacement)}`;
}
