import { type Code, type Collector, phrase, reporterFor, type Severity } from '../../core/diagnostics/index.ts';
import { FUNCTION, KEPT, LOCAL_CONFIG, MARKED } from '../../core/model/keys.ts';
import { annotationOf, groupVersionKind, type KubeObject, nameOf } from '../../core/model/object.ts';
import type { Entry } from '../../core/model/render.ts';
import { get, type ValueMap } from '../../core/model/value.ts';

export const isLocalConfig = (object: KubeObject): boolean => annotationOf(object, LOCAL_CONFIG) === 'true';

/** The annotations that keep an object in its package. */
export const MARK = { [LOCAL_CONFIG]: 'true', [MARKED]: 'local-config' } as const;
/** The same for an object of `kpt pkg get`, for which the mark is a local change. */
export const UPSTREAM_MARK = { ...MARK, [MARKED]: 'upstream', [KEPT]: null } as const;

/** Reports whether this renderer wrote the local-config mark of an object. */
export const isMarked = (object: KubeObject): boolean => annotationOf(object, MARKED) !== undefined;

export const isMarkedUpstream = (object: KubeObject): boolean => annotationOf(object, MARKED) === UPSTREAM_MARK[MARKED];

/** Returns the object without a mark of this renderer; itself if there is none. */
function unmarked(object: KubeObject): KubeObject {
  if (!isMarked(object)) return object;
  const { annotations, ...others } = object.metadata as ValueMap;
  const { [LOCAL_CONFIG]: _mark, [MARKED]: _marked, [KEPT]: _kept, ...left } = annotations as ValueMap;
  const metadata = Object.keys(left).length === 0 ? others : { ...(object.metadata as ValueMap), annotations: left };
  return { ...object, metadata };
}

/** Selects in input order what is rendered or passed through, and with `all` what is for a cluster. */
export function objectsToPrint(
  output: { entries: readonly Entry[] },
  options: { all: boolean },
): { objects: KubeObject[]; leftOut: number } {
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

export interface Selected {
  object: KubeObject;
  entry: Entry;
}

/** RGDs and instances are rendered instead; observed objects, local-config items and runner files are not applied. */
export function isForCluster({ role, input }: Pick<Entry, 'role' | 'input'>): boolean {
  return (role === 'crd' || role === 'other') && !isLocalConfig(input.object) && !isRunnerFile(input.object);
}

/** Reports a file that a runner reads and never applies: the Kptfile, a kustomization, a functionConfig. */
export function isRunnerFile(object: KubeObject): boolean {
  const { group } = groupVersionKind(object);
  return (
    group === 'kpt.dev' ||
    group === 'fn.kpt.dev' ||
    group === 'kustomize.config.k8s.io' ||
    annotationOf(object, FUNCTION) !== undefined
  );
}

/**
 * Reports whether an object is the configuration of a tool, such as a kubeconfig or the Cluster of kind: without metadata
 * and without a spec it is nothing that an API server accepts, and no incomplete object either.
 */
export const isToolConfiguration = (object: KubeObject): boolean =>
  get(object, 'metadata') === undefined && get(object, 'spec') === undefined;

/** A consumer that accepts complete objects only, and its error for others. */
interface Taker {
  code: Code;
  /** The text after `Kind without FIELD: `. */
  reason: string;
  hint: string;
  /** Whether `metadata.generateName` counts as a name. */
  generatesNames?: boolean;
  /** Defaults to 'error'. */
  severity?: Severity;
}

/** An API server, or what applies to one, which may generate names. */
export const applying = (reason: string): Taker => ({
  code: 'incomplete-object',
  reason,
  hint: 'complete the template',
  generatesNames: true,
});

/** Rejects objects without an apiVersion or a name, for consumers that read those. Others print them. */
export function refuseIncomplete(entries: readonly Entry[], taker: Taker, reports: Collector): void {
  for (const { input, rendered } of entries) {
    for (const { object, template } of rendered) {
      const field = missingField(object, taker.generatesNames ?? false);
      if (field === undefined) continue;
      const name = nameOf(object);
      const title = name === '' ? object.kind : `${object.kind}/${name}`;
      reporterFor(template?.input ?? input, reports).report({
        code: taker.code,
        message: phrase`${{ object: title }} without ${{ field }}: ${{ reason: taker.reason }}`,
        path: template?.path ?? [],
        hint: phrase`${taker.hint}`,
        severity: taker.severity,
      });
    }
  }
}

/** Returns the field without which an object cannot be applied; `generatesNames` accepts a prefix for a name. */
export function missingField(object: KubeObject, generatesNames: boolean): string | undefined {
  if (typeof object.apiVersion !== 'string' || object.apiVersion === '') return 'apiVersion';
  if (nameOf(object) !== '') return undefined;
  const prefix = generatesNames ? get(get(object, 'metadata'), 'generateName') : undefined;
  return typeof prefix === 'string' && prefix !== '' ? undefined : 'metadata.name';
}
