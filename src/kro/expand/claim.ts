import { composeText, phrase, type RelatedLocation, shown, trusted } from '../../core/diagnostics/index.ts';
import { KRO_LABEL, MANAGED_BY } from '../../core/model/keys.ts';
import { type KubeObject, titleOf } from '../../core/model/object.ts';
import { getAt } from '../../core/model/value.ts';
import type { Item } from '../../kubernetes/label/index.ts';
import type { NodeRun } from './node-run.ts';
import type { Maker } from './objects.ts';
import { reportAbout, reportNode } from './report.ts';
import type { InstanceRun } from './run.ts';
import { hasSecretIdentity, titleOfRun } from './secrecy.ts';
import type { World } from './world.ts';

/**
 * Reports an identity that two rendered objects, or a rendered and a plain one, share (the version is not part of it).
 */
export function claimIdentity(object: KubeObject, key: string, item: Item | undefined, at: NodeRun): boolean {
  const { run, node, world } = at;
  const { objects } = world;
  const other = objects.maker(key);
  const plain = world.plain.get(key) ?? objects.instances.get(key)?.instance;
  if (other === undefined && plain === undefined) {
    objects.claim(key, { run, node: node.index });
    return true;
  }
  if (other === undefined && plain !== undefined && isOutput(plain)) {
    reportOutput(key, at);
    return false;
  }
  const by =
    other === undefined
      ? 'the package contains it already'
      : `the node '${other.run.graph.nodes[other.node]?.id}' of ${titleOfRun(other.run, world)} renders it already`;
  const isHidden =
    hasSecretIdentity(run, node.index, world) ||
    (other !== undefined && hasSecretIdentity(other.run, other.node, world));
  const hidden = `one ${object.kind}${item === undefined ? '' : ` (item ${item.index})`}`;
  const message = phrase`${shown(isHidden ? hidden : titleOf(object))} is a duplicate: ${shown(by)}`;
  const path = [...node.path, 'template', 'metadata', 'name'];
  const related = relatedTo(key, other, { run, node: node.index }, world);
  reportNode(at, { code: 'identity-collision', message, path, related: related && [related] });
  return false;
}

const isOutput = (object: KubeObject): boolean =>
  getAt(object, ['metadata', 'labels', MANAGED_BY]) === 'render-rgd' &&
  getAt(object, ['metadata', 'labels', KRO_LABEL.instanceId]) !== undefined;

/** Reports a file with earlier output once, and not for each of its objects. */
function reportOutput(key: string, { world }: NodeRun): void {
  const source = world.sourceOf(key);
  const file = source?.file ?? '';
  if (world.outputs.has(file)) return;
  world.outputs.add(file);
  world.reports.add({
    code: 'identity-collision',
    message: composeText`${file === '' ? 'the input' : trusted.file(file)} contains output of render-rgd, as the label ${MANAGED_BY} says; it would be rendered twice`,
    path: ['metadata', 'labels', MANAGED_BY],
    source,
    hint: composeText`remove the file, leave it out with --exclude, or write to another folder`,
  });
}

/** Reports the second of two instances of one identity, which is not rendered. */
export function reportTwin(run: InstanceRun, first: InstanceRun, world: World): void {
  const message = phrase`is a duplicate: the package contains the instance already`;
  const path = ['metadata', 'name'];
  const related = { message: composeText`the other one`, source: first.input.source, path };
  reportAbout(run, world, { code: 'identity-collision', message, path, related: [related] });
}

/** Returns the location of the other object: an object or an instance of the package, or a template of another node. */
function relatedTo(
  key: string,
  other: Maker | undefined,
  { run, node }: Maker,
  world: World,
): RelatedLocation | undefined {
  const message = composeText`the other one`;
  if (other === undefined) {
    const source = world.objects.instances.get(key)?.input.source ?? world.sourceOf(key);
    return { message, source, path: ['metadata', 'name'] };
  }
  if (other.run.graph !== run.graph || other.node !== node) {
    const path = [...(other.run.graph.nodes[other.node]?.path ?? []), 'template', 'metadata', 'name'];
    return { message, source: other.run.graph.input.source, path };
  }
  // Items of a node, and objects of instances inside one instance, have one location.
  if (other.run.input === run.input) return undefined;
  return { message, source: other.run.input.source, path: ['metadata', 'name'] };
}
