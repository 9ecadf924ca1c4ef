import { composeText, format, hideValues, type Text } from '../../core/diagnostics/index.ts';
import { getOrCompute } from '../../core/model/lazily.ts';
import { groupVersionKind, identityOf, type KubeObject } from '../../core/model/object.ts';
import { equal, type Path, type Value } from '../../core/model/value.ts';
import { type Secrecy, secretAt } from '../../core/redaction/index.ts';
import { compileRules } from '../../kro/compile/index.ts';
import { type Expansion, type InstanceRun, isSecretlyNamed, secrecyOf, withNested } from '../../kro/expand/index.ts';
import { builtinKinds, type Schema } from '../../kubernetes/schema/index.ts';
import {
  asResource,
  compileRuleWalk,
  conformityOf,
  type RuleWalk,
  startVisit,
} from '../../kubernetes/validation/index.ts';
import { type ChangeWarning, titleOfReviewed } from './changes.ts';
import { shownPath } from './mask.ts';

/** A field that the validation rules of a CRD do not allow to change. */
export interface RefusedTransition {
  path: Path;
  /** It quotes no values. */
  message: Text;
}

const walks = new WeakMap<Schema, RuleWalk | undefined>();

/** Returns the walk to the transition rules of a CRD, `undefined` if it has none. */
const walkFor = (schema: Schema): RuleWalk | undefined =>
  getOrCompute(walks, schema, () => {
    const resource = asResource(schema);
    return compileRuleWalk(resource, compileRules(resource, () => {}).transitions);
  });

/** Returns what the transition rules of a custom resource reject, by the newer version of its CRD. */
export function refusedTransitions(
  before: KubeObject,
  after: KubeObject,
  schema: Schema | undefined,
): RefusedTransition[] {
  if (schema === undefined || builtinKinds.find(groupVersionKind(after)) !== undefined) return [];
  const walk = walkFor(schema);
  if (walk === undefined) return [];
  const complete = ({ status: _, ...object }: KubeObject): Value => conformityOf(schema, object, true).object;
  const visit = startVisit();
  walk(complete(after), visit, complete(before));
  const refused = visit.problems.filter(({ code }) => code === 'rule-violated');
  return refused.map((problem) => ({ path: problem.path, message: format(hideValues(problem)) }));
}

/** Warns of instances whose change the CRD of their RGD rejects, such as that of a field with `immutable=true`. */
export function instanceWarnings(before: Expansion | undefined, after: Expansion | undefined): ChangeWarning[] {
  if (before === undefined || after === undefined) return [];
  const old = new Map(runsOf(before).map((run) => [identityOf(run.instance), run.instance]));
  return runsOf(after).flatMap((run) => {
    const instance = old.get(identityOf(run.instance));
    if (instance === undefined || equal(instance, run.instance)) return [];
    return refusedTransitions(instance, run.instance, run.graph.schema).map(({ path, message }): ChangeWarning => {
      const title = titleOfReviewed({ object: run.instance, nameless: isSecretlyNamed(run) });
      return {
        kind: 'recreate',
        message: composeText`${title}: ${shownPath(path, secrecyOfRun(run))} cannot be changed in place (${message}), the instance must be deleted and created again`,
      };
    });
  });
}

/** Returns which parts of an instance may be values of a Secret. */
function secrecyOfRun({ parent, input }: InstanceRun): Secrecy {
  if (parent !== undefined) return secrecyOf(parent);
  return input.secret === undefined ? false : secretAt(['spec'], true);
}

const runsOf = ({ runs }: Expansion): InstanceRun[] => runs.flatMap(withNested);
