import { composeText, trusted } from '../core/diagnostics/index.ts';
import { KRO_LABEL } from '../core/model/keys.ts';
import { identityOf, type KubeObject, namespaceOf } from '../core/model/object.ts';
import { get, getAt, isMap } from '../core/model/value.ts';
import { either, type Secrecy, secretAt } from '../core/redaction/index.ts';
import { NAMED_IN_SECRETS, type Review } from '../kubernetes/front-end/index.ts';
import {
  type Expansion,
  hasSecretIdentity,
  type InstanceRun,
  isSecretlyNamed,
  type NodeRun,
  secrecyOf,
  titleOfRun,
} from './expand/index.ts';

/** Returns what a comparison needs to know of an object that a node of an instance rendered. */
export function reviewOf(object: KubeObject, { world }: Expansion): Review | undefined {
  const maker = world.objects.makers.get(identityOf(object));
  if (maker === undefined) return undefined;
  const { run, node } = maker;
  const template = getAt(run.graph.input.object, [...node.path, 'template']);
  return {
    place: {
      instance: titleOfRun(run),
      namespace: isSecretlyNamed(run) ? composeText`` : trusted.definition(namespaceOf(run.instance)),
      node: trusted.definition(node.id),
      key: placeOf(object, maker),
    },
    secrecy: either(secrecyOf(maker), writtenByUs(run)),
    nameless: hasSecretIdentity(maker),
    named: NAMED_IN_SECRETS.filter((field) => isMap(get(template, field))),
  };
}

/** Labels name the instance; order annotations name other objects. */
function writtenByUs(run: InstanceRun): Secrecy {
  const labels = isSecretlyNamed(run) ? secretAt(['metadata', 'labels'], true) : false;
  const names = run.world.options.order === 'kpt' && run.graph.nodes.some((node) => hasSecretIdentity({ run, node }));
  return either(labels, names ? secretAt(['metadata', 'annotations'], true) : false);
}

/** Returns the location of a nested instance, because its name may be what changed. */
function placeOf(object: KubeObject, { run, node }: NodeRun): string {
  const above = run.parent === undefined ? run.id : placeOf(run.instance, run.parent);
  const item = getAt(object, ['metadata', 'labels', KRO_LABEL.collectionIndex]);
  return JSON.stringify([above, node.id, typeof item === 'string' ? item : '']);
}
