import { Collector, composeText, type Text, trusted } from '../../core/diagnostics/index.ts';
import type { Limits } from '../../core/model/limits.ts';
import type { InputObject, KubeObject } from '../../core/model/object.ts';
import { isSecret } from '../../core/redaction/index.ts';
import { roleOf } from '../../kubernetes/front-end/index.ts';
import { kindsOf } from '../../kubernetes/schema/index.ts';
import { compilePolicies, isPolicy, type Operation } from '../policies/index.ts';
import type { Reviewed } from '../review/index.ts';
import type { ObjectChange } from './changes.ts';
import { titleOfReviewed } from './title.ts';

/**
 * Returns a function that returns what admission policies say of a change, one text for each denial: an added object is
 * created, a changed one updated, a removed one deleted. `around` has the policies, their parameters and namespaces.
 */
export function denialsBy(
  around: readonly InputObject[],
  { limits, namespace }: { limits: Limits; namespace: string },
): ((change: Pick<ObjectChange, 'change' | 'before' | 'after'>) => Text[]) | undefined {
  const policies = around.filter(isPolicy);
  if (policies.length === 0) return undefined;
  const crds = around.filter(({ object }) => roleOf(object) === 'crd');
  const { decide } = compilePolicies(
    {
      policies,
      known: around,
      complete: [],
      crds: crds.map(({ object }) => object),
      kinds: kindsOf(crds, undefined, new Collector()),
      limits,
      namespace,
    },
    around.length,
    new Collector(),
  );
  const textsOf = (
    one: Reviewed,
    others: readonly Reviewed[],
    operation: Operation,
    verb: 'the creation' | 'the deletion' | 'the update',
  ): Text[] =>
    decide(operation).flatMap((decision) => {
      if (!('denial' in decision) || decision.action === 'Audit') return [];
      const isHidden = decision.usesSecret || [one, ...others].some(({ secrecy }) => isSecret(secrecy));
      const { message, plain } = decision.denial;
      const words = decision.action === 'Deny' ? 'is denied by' : 'gets a warning of';
      const title = titleOfReviewed(one);
      return [
        composeText`${title}: ${verb} ${words} the policy '${trusted.definition(decision.policy.name)}': ${trusted.redacted(isHidden ? plain : message)}`,
      ];
    });
  const objectOf = (one: Reviewed | undefined): KubeObject | undefined => one?.object;
  return ({ change, before, after }) => {
    const [object, oldObject] = [objectOf(after), objectOf(before)];
    if (change === 'changed' && object && oldObject && before && after)
      return textsOf(after, [before], { object, oldObject }, 'the update');
    return [
      ...(before && oldObject ? textsOf(before, [], { oldObject }, 'the deletion') : []),
      ...(after && object ? textsOf(after, [], { object }, 'the creation') : []),
    ];
  };
}
