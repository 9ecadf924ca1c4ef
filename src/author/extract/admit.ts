import { type Collector, phrase, reporterFor, shown } from '../../core/diagnostics/index.ts';
import { withoutRunnerNotes } from '../../core/model/bookkeeping.ts';
import { FUNCTION, LOCAL_CONFIG, MANAGED_BY } from '../../core/model/keys.ts';
import {
  annotationOf,
  groupKindOf,
  groupVersionKind,
  type InputObject,
  identityOf,
  type KubeObject,
  nameOf,
} from '../../core/model/object.ts';
import { isMap, mapItems, type Value, type ValueMap } from '../../core/model/value.ts';
import { isRgd } from '../../kro/definition/index.ts';
import { roleOf } from '../../kubernetes/front-end/index.ts';
import { isOwnLabel } from '../../kubernetes/label/index.ts';
import type { Copy } from './model.ts';

/** The copies as an RGD can render them, and what was taken out of them. */
export interface Admitted {
  readonly copies: readonly Copy[];
  /** The CRDs among the objects: they describe kinds, and are not part of an instance. */
  readonly crds: readonly InputObject[];
  /** The kinds of objects that are not part of an instance, with their number. */
  readonly leftOut: ReadonlyMap<string, number>;
  /** The fields that an API server fills in, and labels that render-rgd replaces, with their number. */
  readonly dropped: Map<string, number>;
}

/** What an API server writes into metadata. */
const OF_SERVER: readonly string[] = [
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'managedFields',
  'selfLink',
];

/** The kinds that tools read and nobody applies. */
const OF_TOOLS: readonly string[] = [
  'Kustomization.kustomize.config.k8s.io',
  'Component.kustomize.config.k8s.io',
  'Kptfile.kpt.dev',
];

/** What is not a part of the instances. */
export interface Excluded {
  /** The kinds that are left out. */
  readonly without: readonly string[];
  /** The kinds that RGDs define, with their groups: their objects are instances. */
  readonly defined: ReadonlySet<string>;
}

/** Checks the objects of copies, and removes what no template writes. Secrets, RGDs and instances are errors. */
export function admit(copies: readonly Copy[], { without, defined }: Excluded, reports: Collector): Admitted {
  const crds: InputObject[] = [];
  const leftOut = new Map<string, number>();
  const dropped = new Map<string, number>();
  const leaveOut = (kind: string): void => {
    leftOut.set(kind, (leftOut.get(kind) ?? 0) + 1);
  };
  const admitted = copies.map(({ name, objects }): Copy => {
    const own: InputObject[] = [];
    const seen = new Set<string>();
    for (const input of objects) {
      const { object } = input;
      if (isLeftOut(object, without)) leaveOut(object.kind);
      else if (roleOf(object) === 'crd') {
        crds.push(input);
        leaveOut(object.kind);
      } else if (!refuse(input, { seen, defined }, reports))
        own.push({ ...input, object: plainObject(object, dropped) });
    }
    return { name, objects: own };
  });
  return { copies: admitted, crds, leftOut, dropped };
}

function isLeftOut(object: KubeObject, without: readonly string[]): boolean {
  const kind = groupKindOf(object);
  if (without.includes(object.kind) || without.includes(kind) || OF_TOOLS.includes(kind)) return true;
  return annotationOf(object, LOCAL_CONFIG) === 'true' || annotationOf(object, FUNCTION) !== undefined;
}

/** The objects of a copy until now, and the kinds that RGDs define. */
interface Known {
  readonly seen: Set<string>;
  readonly defined: ReadonlySet<string>;
}

/** Reports an object that may not become a part of a template. */
function refuse(input: InputObject, { seen, defined }: Known, reports: Collector): boolean {
  const { object } = input;
  const reporter = reporterFor(input, reports);
  if (groupKindOf(object) === 'Secret.') {
    const message = phrase`a Secret is not written into a template or an instance`;
    const hint = phrase`leave it out with --without Secret, keep it beside the instances, and let the RGD read it with externalRef if an object needs a value of it`;
    reporter.report({ code: 'extract-secret', message, hint, path: [] });
  } else if (isRgd(object)) {
    const message = phrase`an RGD is not a copy: extract writes one`;
    const hint = phrase`pass folders with the objects themselves, or leave it out with --without ${shown(object.kind)}`;
    reporter.report({ code: 'extract-object', message, hint, path: [] });
  } else if (defined.has(groupKindOf(object)) || groupVersionKind(object).group === 'kro.run') {
    const message = phrase`an instance of an RGD is not a part of a copy`;
    const hint = phrase`pass the objects that it renders to, which render-rgd render prints, or leave it out with --without ${shown(object.kind)}`;
    reporter.report({ code: 'extract-object', message, hint, path: ['kind'] });
  } else if (nameOf(object) === '') {
    const message = phrase`an object without a name cannot be a part of an instance`;
    const hint = phrase`give it a name, or leave its kind out with --without ${shown(object.kind)}`;
    reporter.report({ code: 'extract-object', message, hint, path: ['metadata'] });
  }
  const identity = identityOf(object);
  if (!reporter.failed() && seen.has(identity)) {
    const message = phrase`is twice in a copy`;
    reporter.report({ code: 'extract-object', message, hint: phrase`remove one of them`, path: ['metadata', 'name'] });
  }
  seen.add(identity);
  return reporter.failed();
}

/** Returns an object without labels of renderers and without what an API server fills in. */
export function plainObject(object: KubeObject, dropped?: Map<string, number>): KubeObject {
  const count = (what: string): void => {
    dropped?.set(what, (dropped.get(what) ?? 0) + 1);
  };
  const { status, ...rest } = withoutRunnerNotes(object);
  if (status !== undefined) count('status');
  if (!isMap(rest.metadata)) return rest as KubeObject;
  const metadata = mapItems(rest.metadata, (value, key) => {
    if (OF_SERVER.includes(String(key))) {
      if (value !== null) count(`metadata.${key}`);
      return undefined;
    }
    return key === 'labels' ? plainLabels(value, count) : withoutEmpty(value, String(key));
  }) as ValueMap;
  return { ...rest, metadata } as KubeObject;
}

/** Returns the labels without those that render-rgd sets itself; `undefined` for none. */
function plainLabels(labels: Value, count: (what: string) => void): Value | undefined {
  const own = mapItems(labels, (value, key) => {
    if (!isOwnLabel(String(key))) return value;
    if (key === MANAGED_BY && value !== 'render-rgd' && value !== 'kro') count(`the label ${key}: ${String(value)}`);
    return undefined;
  });
  return withoutEmpty(own, 'labels');
}

/** An API server stores no empty labels and annotations. */
const withoutEmpty = (value: Value, key: string): Value | undefined =>
  (key === 'labels' || key === 'annotations') && (value === null || (isMap(value) && Object.keys(value).length === 0))
    ? undefined
    : value;
