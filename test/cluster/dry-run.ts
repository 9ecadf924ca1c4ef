import { crds as crdsOf, type ObjectSource } from '../../src/api/index.ts';
import { fromPlain } from '../../src/api/plain.ts';
import { type KubeObject, nameOf } from '../../src/core/model/object.ts';
import type { ValueMap } from '../../src/core/model/value.ts';
import type { Planned } from './batches.ts';
import type { Api, Answer as Response } from './control-plane/api.ts';
import { appliedBy } from './managed-fields.ts';

/** What an API server says of objects that it is asked to take and not to keep, with strict field validation. */
export interface DryRun {
  /** How many were asked about. */
  tried: number;
  /** What an object would be there, in the order of the objects; `undefined` for one that is refused. */
  stored: readonly (ValueMap | undefined)[];
  refused: readonly string[];
}

const OURS = 'render-rgd';

/** Nobody was asked. */
export const noDryRun: DryRun = { tried: 0, stored: [], refused: [] };

/** The CRDs that the RGDs of a case generate: none when one of them is wrong, whatever becomes of the instances. */
export const dryRunCrds = async (api: Api, { one }: Planned): Promise<DryRun> => {
  const { objects } = crdsOf({ objects: one.objects as ObjectSource[] }, { strict: true });
  return dryRun(
    api,
    objects.map((crd) => fromPlain(crd) as KubeObject),
  );
};

/** The fields that each object would have by us. */
export async function dryRun(api: Api, objects: readonly KubeObject[]): Promise<DryRun> {
  const stored: (ValueMap | undefined)[] = [];
  const refused: string[] = [];
  for (const object of objects) {
    const answer = await api.apply(object, { manager: OURS, dryRun: true }).catch(failure);
    stored.push(answer.status < 400 ? appliedBy(answer.body, OURS) : undefined);
    if (answer.status >= 400) refused.push(`${object.kind}/${nameOf(object)}: ${messageOf(answer)}`);
  }
  return { tried: objects.length, stored, refused };
}

export const failure = (cause: Error): Response => ({ status: 400, body: { message: cause.message } });
export const messageOf = ({ body }: Response): string => String(body.message ?? '');
