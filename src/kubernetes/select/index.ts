import { FUNCTION } from '../../core/model/keys.ts';
import { annotationOf, groupVersionKind, type KubeObject } from '../../core/model/object.ts';
import type { Entry } from '../../core/model/render.ts';
import { isLocalConfig, unmarked } from './local-config.ts';

export {
  annotated,
  isLocalConfig,
  isMarked,
  isMarkedUpstream,
  MARK,
  UPSTREAM_MARK,
} from './local-config.ts';
export { refuseIncomplete } from './whole.ts';

/** The printed objects, and how many more `--all` would print. */
export interface Printed {
  objects: KubeObject[];
  leftOut: number;
}

/**
 * Selects the printed objects, in input order: rendered objects in the place of their instance, passed-through ones
 * unchanged, and with `all` every other object for a cluster.
 */
export function objectsToPrint(output: { entries: readonly Entry[] }, options: { all: boolean }): Printed {
  const { selected, leftOut } = selectForOutput(output, options);
  return { objects: selected.map(({ object }) => object), leftOut };
}

/** Does the same with the source of each object. */
export function selectForOutput(
  output: { entries: readonly Entry[] },
  { all }: { all: boolean },
): { selected: Selected[]; leftOut: number } {
  const selected: Selected[] = [];
  let leftOut = 0;
  for (const entry of output.entries) {
    if (entry.passedThrough) selected.push({ object: unmarked(entry.input.object), entry });
    else if (entry.rendered.length > 0) for (const { object } of entry.rendered) selected.push({ object, entry });
    else if (!isForCluster(entry)) continue;
    else if (all) selected.push({ object: entry.input.object, entry });
    else leftOut += 1;
  }
  return { selected, leftOut };
}

/** A printed object, and its source. */
export interface Selected {
  object: KubeObject;
  entry: Entry;
}

/**
 * Reports whether an object is applied to a cluster: RGDs and instances are rendered instead; observed objects,
 * local-config items and runner files are not applied.
 */
export function isForCluster({ role, input }: Pick<Entry, 'role' | 'input'>): boolean {
  return (role === 'crd' || role === 'other') && !isLocalConfig(input.object) && !isRunnerFile(input.object);
}

/**
 * Reports whether an object is a file that a runner reads and never applies: the Kptfile, a kustomization, a
 * functionConfig.
 */
function isRunnerFile(object: KubeObject): boolean {
  const { group } = groupVersionKind(object);
  return (
    group === 'kpt.dev' ||
    group === 'fn.kpt.dev' ||
    group === 'kustomize.config.k8s.io' ||
    annotationOf(object, FUNCTION) !== undefined
  );
}
