import type { Report } from '../diagnostics/index.ts';
import { identityOf, isKubeObject, type KubeObject, namespaceOf } from '../model/object.ts';
import { formatPath } from '../model/path.ts';
import type { RenderInput, RenderOptions } from '../model/render.ts';
import { getAt, isMap } from '../model/value.ts';
import { type ExpandedOutput, renderWithExpansion } from '../pipeline.ts';
import { withoutEarlier } from '../rerender/index.ts';
import type { ExpandedSet } from '../resourceset/index.ts';
import type { FoundIn } from '../rgd/compile/index.ts';
import {
  type Expansion,
  HIDDEN,
  hasSecretIdentity,
  type InstanceRun,
  isSecretlyNamed,
  secrecyOf,
  titleOfRun,
  type World,
} from '../rgd/expand/index.ts';
import { either, fieldsOf, isSecretKind, SECRET, type Secrecy, secretAt, writtenSecrets } from '../secrecy/index.ts';
import { objectsToPrint } from '../select/index.ts';

/** An object that is compared, with what may be shown of it. */
export interface Reviewed {
  object: KubeObject;
  /** Its place: the node of an instance that renders it. Objects with the same place are versions of each other. */
  place?: { instance: string; namespace: string; node: string; key: string };
  secrecy: Secrecy;
  /** Its name or namespace may be a value of a Secret. */
  nameless: boolean;
  /** Maps of a Secret whose keys were written by hand, so that they may be shown. */
  named: readonly string[];
}

/** One version of a package, rendered. */
export interface Version {
  objects: readonly Reviewed[];
  /** With an error among them, `objects` says nothing. */
  reports: readonly Report[];
  /** The runs that made the objects, as far as they got. */
  expansion?: Expansion;
}

/** Renders one version of a package for a comparison: the objects that `render` would print. */
export function renderVersion(input: RenderInput, options: RenderOptions & { all: boolean }, found?: FoundIn): Version {
  const output = renderWithExpansion(withoutEarlier(input), options, found);
  const { objects } = objectsToPrint(output, options.all);
  const places = placesInSets(output.sets ?? []);
  const version = { objects: objects.map((object) => review(object, output, places)), reports: output.reports };
  return output.expansion === undefined ? version : { ...version, expansion: output.expansion };
}

const NAMED = ['data', 'stringData'];

/** An object of a ResourceSet that was made of values of Secrets. */
const MADE_OF_SECRETS = fieldsOf({ apiVersion: false, kind: false, metadata: true, spec: true }, true);

/** An object of which nothing but itself is known. */
export const reviewAlone = (object: KubeObject): Reviewed => review(object, {}, new Map());

type PlacesInSets = Map<string, { place: NonNullable<Reviewed['place']>; secret: boolean }>;

/**
 * What ResourceSets make, by identity. An object is a version of the one that the same template makes for the same
 * inputs, which are known by their place in the list.
 */
function placesInSets(sets: readonly ExpandedSet[]): PlacesInSets {
  const places: PlacesInSets = new Map();
  const counts = new Map<string, number>();
  for (const { made, place, input } of sets) {
    for (const { object, path, inputs } of made) {
      const template = JSON.stringify([place.namespace, place.name, path, inputs?.title ?? '']);
      const count = counts.get(template) ?? 0;
      counts.set(template, count + 1);
      const instance = `${input.object.kind}/${place.name}`;
      const found = { instance, namespace: place.namespace, node: formatPath(path), key: `${template}${count}` };
      const secret = input.secret !== undefined;
      if (isKubeObject(object)) places.set(identityOf(object), { place: found, secret });
    }
  }
  return places;
}

function review(object: KubeObject, { expansion }: Pick<ExpandedOutput, 'expansion'>, places: PlacesInSets): Reviewed {
  const maker = expansion?.world.objects.maker(identityOf(object));
  if (expansion === undefined || maker === undefined) {
    const secrecy = isSecretKind(object.kind) ? SECRET : writtenSecrets(object, 'object');
    const { place, secret = false } = places.get(identityOf(object)) ?? {};
    return {
      object,
      ...(place && { place }),
      secrecy: secret ? MADE_OF_SECRETS : secrecy,
      nameless: secret,
      named: secret ? [] : NAMED,
    };
  }
  const { world } = expansion;
  const { run, node: index } = maker;
  const node = run.graph.nodes[index];
  const template = [...(node?.path ?? []), 'template'];
  return {
    object,
    place: {
      instance: titleOfRun(run, world),
      namespace: titleOfRun(run, world).endsWith(HIDDEN) ? '' : namespaceOf(run.instance),
      node: node?.id ?? '',
      key: placeOf(object, run, index),
    },
    secrecy: either(secrecyOf(run, index, world), writtenByUs(run, world)),
    nameless: hasSecretIdentity(run, index, world),
    named: NAMED.filter((field) => isMap(getAt(run.graph.input.object, [...template, field]))),
  };
}

/** Labels name the instance; annotations that tell the order name other objects. */
function writtenByUs(run: InstanceRun, world: World): Secrecy {
  const labels = isSecretlyNamed(run, world) ? secretAt(['metadata', 'labels'], true) : false;
  const names =
    world.options.order === 'kpt' && run.graph.nodes.some(({ index }) => hasSecretIdentity(run, index, world));
  return either(labels, names ? secretAt(['metadata', 'annotations'], true) : false);
}

/** A nested instance counts by its own place, since its name may be what changed. */
function placeOf(object: KubeObject, run: InstanceRun, node: number): string {
  const above = run.parent === undefined ? run.id : placeOf(run.instance, run.parent.run, run.parent.node);
  const item = getAt(object, ['metadata', 'labels', 'kro.run/collection-index']);
  return JSON.stringify([above, run.graph.nodes[node]?.id ?? '', typeof item === 'string' ? item : '']);
}
