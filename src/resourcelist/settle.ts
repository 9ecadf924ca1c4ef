import type { Report } from '../diagnostics/diagnostic.ts';
import { reporterFor } from '../diagnostics/reporter.ts';
import { idsOfInstance, kindAsOrigin, originKind, originLabel } from '../earlier/origin.ts';
import { labelValue } from '../label/labels.ts';
import { groupVersionKind, type InputObject, identityOf, type KubeObject, titleOf } from '../model/object.ts';
import type { RenderOptions, RenderOutput } from '../model/render.ts';
import { groupBy } from './group-by.ts';
import { itemAt, type ResourceList } from './read.ts';
import { reportPart } from './report.ts';
import { kindsOfWaitingNodes } from './waiting.ts';

export interface Earlier {
  list: ResourceList;
  /** By the index of the item. */
  earlier: ReadonlyMap<number, KubeObject>;
  output: RenderOutput;
  definitions: readonly InputObject[];
  options: RenderOptions;
}

/**
 * Says what becomes of earlier objects that are not rendered again: those of a waiting node stay (their indexes are
 * the answer), those whose instance lost its RGD are an error, the others go, unless the list is not the whole package.
 */
export function settleEarlier(given: Earlier, reports: Report[]): Set<number> {
  const { list, earlier, output } = given;
  const rendered = output.entries.flatMap((entry) => entry.rendered);
  const again = new Set(rendered.map(({ object }) => identityOf(object)));
  const kept = new Set<number>();
  const gone = [...earlier].filter(([, object]) => !again.has(identityOf(object)));
  if (gone.length === 0) return kept;
  const waits = waitingTest(given);
  const orphaned = orphanTest(given);
  const isPart = isPartOfPackage(output);
  for (const [index, object] of gone) {
    const reporter = reporterFor(itemAt(list, index), reports);
    if (waits(object)) {
      kept.add(index);
      const message = 'stays as it was rendered earlier, its node waits';
      reporter.report({ code: 'earlier-kept', message, path: [], severity: 'info' });
    } else if (orphaned(object)) {
      const from = `${originLabel(object, 'kind')}/${originLabel(object, 'name')}`;
      const message = `was rendered from ${from}, whose RGD is not in the input`;
      const hint = 'add the RGD again, or remove the instance too';
      reporter.report({ code: 'earlier-without-rgd', message, path: [], hint });
    } else if (isPart) {
      kept.add(index);
    } else {
      const message = `${titleOf(object)} is no longer rendered and was taken out`;
      reporter.report({ code: 'earlier-removed', message, path: [], severity: 'info' });
    }
  }
  if (isPart && kept.size > 0) reportPart(reports);
  return kept;
}

/**
 * A selector can leave nothing but rendered objects, perhaps among others. Without a Kptfile, an RGD and an instance
 * nobody can tell that something is no longer rendered.
 */
const isPartOfPackage = ({ entries }: RenderOutput): boolean =>
  !entries.some(
    ({ role, input }) => role === 'rgd' || role === 'instance' || groupVersionKind(input.object).group === 'kpt.dev',
  );

/** Whether an earlier object belongs to a node that waits now, or to a nested instance that such a node would render. */
function waitingTest({ output, definitions }: Earlier): (object: KubeObject) => boolean {
  if (output.pending.length === 0) return () => false;
  const key = (id: string, node: string): string => `${id}/${node}`;
  const nodes = new Set(
    output.pending.map(({ instanceId: id, node }) =>
      key(
        id,
        labelValue(node, () => undefined),
      ),
    ),
  );
  const live = new Set(output.entries.flatMap(({ rendered }) => rendered.map((one) => one.instanceId)));
  for (const { instanceId: id } of output.pending) live.add(id);
  const rgds = [...output.entries.map(({ input }) => input), ...definitions];
  const nested = kindsOfWaitingNodes(new Set(output.pending.map(({ node }) => node)), rgds);
  return (object) => {
    const id = originLabel(object, 'id');
    const inNested = !live.has(id) && nested.has(originKind(object));
    return inNested || nodes.has(key(id, originLabel(object, 'kro.run/node-id')));
  };
}

/** Whether the instance of an earlier object is still there, as a plain object that no RGD defines. */
function orphanTest({ output, options }: Earlier): (object: KubeObject) => boolean {
  const plain = output.entries.filter(({ role }) => role === 'other').map(({ input }) => input.object);
  const rendered = output.entries.flatMap((entry) => entry.rendered.map(({ object }) => object));
  const byKind = groupBy([...plain, ...rendered], kindAsOrigin);
  return (object) => {
    const candidates = byKind.get(originKind(object)) ?? [];
    return candidates.some((one) => idsOfInstance(one, options.namespace).includes(originLabel(object, 'id')));
  };
}
