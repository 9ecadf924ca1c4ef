import type { InputObject, KubeObject } from '../../core/model/object.ts';
import { isSecret } from '../../core/redaction/index.ts';
import { hiddenTitleOfNode, type NodeRun, nodeRun, secrecyOf, withNested } from '../../kro/expand/index.ts';
import { kro } from '../../kro/front-end.ts';
import { renderedInputs, roleOf, type Session } from '../../kubernetes/front-end/index.ts';
import { isForCluster } from '../../kubernetes/select/index.ts';
import { FRONT_ENDS } from '../../render/front-ends.ts';
import type { Rendering } from '../../render/pipeline.ts';

/** An object that is applied and that no node of a graph renders: problems are reported at its text or template. */
export interface AppliedInput {
  object: KubeObject;
  input: InputObject;
}

/** An object that is applied and that a node of a graph renders: problems are reported at the node. */
interface AppliedNode extends NodeRun {
  object: KubeObject;
}

/** An object that is applied, and where problems of it are reported. */
export type Applied = AppliedInput | AppliedNode;

/** Returns the file of the text or template that an object comes from. */
export const fileOfApplied = (one: Applied): string | undefined =>
  'input' in one ? one.input.source?.file : one.run.graph.input.source?.file;

/** Returns an object for a later stage, such as a policy, a parameter or a namespace, with what is secret of it. */
export function inputOf(one: Applied): InputObject {
  if ('input' in one) return one.input;
  const { object } = one;
  const title = hiddenTitleOfNode(one);
  if (title !== false) return { object, secret: title === 'everything' ? title : 'name' };
  return isSecret(secrecyOf(one)) ? { object, secret: 'values' } : { object };
}

/** Returns every object that is applied: those that people write, and those that front ends render. */
export function appliedObjects(own: readonly InputObject[], output: Rendering): Applied[] {
  return [...plainObjects(own, output), ...objectsOfNodes(output), ...objectsOfTemplates(output)];
}

/** Reports whether an object is one of a front end, which checks it: also one with an error, which renders nothing. */
const isTaken = (object: KubeObject, { sessions }: Rendering): boolean =>
  sessions.some(({ outcomes }) => outcomes.has(object)) || FRONT_ENDS.some((one) => one.takes(object));

/** Returns the objects of the package that are applied as they are written. */
export function plainObjects(own: readonly InputObject[], output: Rendering): AppliedInput[] {
  return own
    .filter((input) => isForCluster({ role: roleOf(input.object), input }) && !isTaken(input.object, output))
    .map((input) => ({ object: input.object, input }));
}

/** Returns the objects that nodes of RGDs render, also in nested instances. */
function objectsOfNodes(output: Rendering): AppliedNode[] {
  const runs = output.of(kro)?.expansion?.runs.flatMap(withNested) ?? [];
  return runs.flatMap((run) =>
    run.rendered.flatMap((items, index) =>
      items.flatMap(({ object }): AppliedNode[] => (object === undefined ? [] : [{ object, ...nodeRun(run, index) }])),
    ),
  );
}

/** Returns the objects that front ends other than kro's render: those of ResourceSets and Graphs. */
function objectsOfTemplates(output: Rendering): AppliedInput[] {
  const ofKro: Session | undefined = output.of(kro);
  return output.sessions.filter((session) => session !== ofKro).flatMap((session) => templatesOf(session, output));
}

/** Returns the objects that one front end renders from templates, without those that another one renders further. */
export function templatesOf(session: Session, output: Rendering): AppliedInput[] {
  return [...session.outcomes.values()].flatMap(({ input, rendered }) => {
    const toInput = renderedInputs(input);
    const applied = rendered.filter(({ object }) => !isTaken(object, output));
    return applied.map((from) => {
      const secret = session.secretOf ? session.secretOf(from.object) : input.secret && 'everything';
      return { object: from.object, input: toInput(from, secret) };
    });
  });
}
