import { crds as crdsOf, type ObjectSource } from '../../src/api/index.ts';
import { fromPlain } from '../../src/api/plain.ts';
import { type KubeObject, nameOf } from '../../src/core/model/object.ts';
import type { ValueMap } from '../../src/core/model/value.ts';
import type { Planned } from './batches.ts';
import type { Api, Answer as Response } from './control-plane/api.ts';
import { appliedBy } from './managed-fields.ts';

/** The answers of an API server to a dry run, with strict field validation. */
export interface DryRun {
  /** The number of objects. */
  tried: number;
  /** The objects as the API server would store them, in the same order; `undefined` for a rejected one. */
  stored: readonly (ValueMap | undefined)[];
  refused: readonly string[];
}

const OURS = 'render-rgd';

/** The result without any request. */
export const noDryRun: DryRun = { tried: 0, stored: [], refused: [] };

/**
 * Performs the dry run of the CRDs that the RGDs of a case generate: none if one RGD is invalid, whatever the instances
 * are.
 */
export const dryRunCrds = async (api: Api, { one }: Planned): Promise<DryRun> => {
  const { objects } = crdsOf({ objects: one.objects as ObjectSource[] }, { strict: true });
  return dryRun(
    api,
    objects.map((crd) => fromPlain(crd) as KubeObject),
  );
};

/** Returns the fields that each object would have from this renderer. */
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
