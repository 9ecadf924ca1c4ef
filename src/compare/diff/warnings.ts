import table from '../../../data/holds-data.json';
import { composeText, format, hideValues, joinTexts, type Text, trusted } from '../../core/diagnostics/index.ts';
import { getOrCompute, lazily } from '../../core/model/lazily.ts';
import { groupKindOf, groupVersionKind, identityOf, type KubeObject } from '../../core/model/object.ts';
import { equal, getAt, type Path, type Value } from '../../core/model/value.ts';
import { type Secrecy, secretAt } from '../../core/redaction/index.ts';
import { compileRules } from '../../kro/compile/index.ts';
import { type Expansion, type InstanceRun, isSecretlyNamed, secrecyOf, withNested } from '../../kro/expand/index.ts';
import { builtinKinds, type Schema } from '../../kubernetes/schema/index.ts';
import { refusedUpdates } from '../../kubernetes/update/index.ts';
import {
  asResource,
  compileRuleWalk,
  conformityOf,
  type RuleWalk,
  startVisit,
} from '../../kubernetes/validation/index.ts';
import { type ChangeWarning, type ObjectChange, shownPath, titleOfReviewed } from './changes.ts';

/** Returns the warnings about a change; `holdsData` names further kinds that lose data when they are deleted. */
export function warningsOf(
  { change, before, after }: Pick<ObjectChange, 'change' | 'before' | 'after'>,
  holdsData: readonly string[],
  title = before && titleOfReviewed(before),
): ChangeWarning[] {
  if (before === undefined || title === undefined) return [];
  const kind = groupKindOf(before.object);
  const lost = lostWith(before.object, holdsData);
  if (after === undefined || change === 'replaced') {
    if (lost === undefined) return [];
    return [{ kind: 'data-loss', message: composeText`${title} is deleted: ${lost}` }];
  }
  const shown = (path: Path): Text => shownPath(path, after.secrecy, before.secrecy);
  const native = refusedUpdates(before.object, after.object).map((field) => shown(field.split('.')));
  const ruled = refusedTransitions(before.object, after.object, after.schema).map(
    ({ path, message }) => composeText`${shown(path)} (${message})`,
  );
  const fields = [...new Set([...native, ...ruled])];
  if (fields.length === 0) return [];
  const message = composeText`${title}: ${joinTexts(fields, ', ')} cannot be changed in place, the object must be deleted and created again`;
  const isLost = lost !== undefined && (kind !== 'StatefulSet.apps' || fields.some((field) => field === CLAIMS));
  return [{ kind: isLost ? 'data-loss' : 'recreate', message }];
}

const CLAIMS = 'spec.volumeClaimTemplates';

const lostByKind = lazily((): ReadonlyMap<string, DataKinds> => {
  const entries = (table as readonly DataKinds[]).flatMap((row) =>
    Object.entries(row.kinds).flatMap(([prefix, names]) => {
      const groups = row.suffixes?.map((suffix) => `${prefix}.${suffix}`) ?? [prefix];
      return groups.flatMap((group) => names.split(' ').map((kind) => [`${kind}.${group}`, row] as const));
    }),
  );
  return new Map(entries);
});

/** The kinds of a provider whose objects hold data that is lost when they are deleted. */
interface DataKinds {
  lost: string;
  /** The cluster deletes it, whatever an annotation for a controller says. */
  always?: boolean;
  /** If present, each group is a key of `kinds` with one of them. */
  suffixes?: readonly string[];
  kinds: Readonly<Record<string, string>>;
}

/** `Kind.group`, with `*` for any part of it. */
export const KIND_PATTERN = /^([A-Za-z][A-Za-z0-9]*|\*)(\.([a-z0-9][a-z0-9-]*|\*))+$/;

/** What is lost with an object, unless its controller keeps it. `more` has kinds as `Kind.group`, with `*` for any part. */
function lostWith(object: KubeObject, more: readonly string[]): Text | undefined {
  const name = groupKindOf(object);
  const hasNoClaims = name === 'StatefulSet.apps' && getAt(object, ['spec', 'volumeClaimTemplates', 0]) === undefined;
  const known = hasNoClaims ? undefined : lostByKind().get(name);
  if (known?.always !== true && isKeptByController(object)) return undefined;
  const own = more.some((pattern) => matches(pattern, name)) ? 'the data that it holds is gone' : undefined;
  const lost = known?.lost ?? own;
  return lost === undefined ? undefined : trusted.definition(lost);
}

function matches(pattern: string, name: string): boolean {
  const wanted = pattern.split('.');
  const given = name.split('.');
  return wanted.length === given.length && wanted.every((part, index) => part === '*' || part === given[index]);
}

/** Annotations that make a controller keep the data of a deleted object. */
const KEEPS: Readonly<Record<string, string>> = {
  'services.k8s.aws/deletion-policy': 'retain',
  'cnrm.cloud.google.com/deletion-policy': 'abandon',
  'serviceoperator.azure.com/reconcile-policy': 'detach-on-delete',
};

function isKeptByController(object: KubeObject): boolean {
  const annotation = (name: string): Value | undefined => getAt(object, ['metadata', 'annotations', name]);
  if (Object.entries(KEEPS).some(([name, value]) => annotation(name) === value)) return true;
  if (getAt(object, ['spec', 'deletionPolicy']) === 'Orphan') return true;
  const policies = getAt(object, ['spec', 'managementPolicies']);
  return Array.isArray(policies) && policies.length > 0 && !policies.includes('*') && !policies.includes('Delete');
}

const walks = new WeakMap<Schema, RuleWalk | undefined>();

/** Returns the walk to the transition rules of a CRD, `undefined` if it has none. */
const walkFor = (schema: Schema): RuleWalk | undefined =>
  getOrCompute(walks, schema, () => {
    const resource = asResource(schema);
    return compileRuleWalk(resource, compileRules(resource, () => {}).transitions);
  });

/** Returns the fields that the transition rules of a custom resource, by the newer version of its CRD, keep from changing. */
function refusedTransitions(before: KubeObject, after: KubeObject, schema: Schema | undefined) {
  if (schema === undefined || builtinKinds.find(groupVersionKind(after)) !== undefined) return [];
  const walk = walkFor(schema);
  if (walk === undefined) return [];
  const complete = ({ status: _, ...object }: KubeObject): Value => conformityOf(schema, object, true).object;
  const visit = startVisit();
  walk(complete(after), visit, complete(before));
  const refused = visit.problems.filter(({ code }) => code === 'rule-violated');
  // The messages quote no values.
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

function secrecyOfRun({ parent, input }: InstanceRun): Secrecy {
  if (parent !== undefined) return secrecyOf(parent);
  return input.secret === undefined ? false : secretAt(['spec'], true);
}

const runsOf = ({ runs }: Expansion): InstanceRun[] => runs.flatMap(withNested);
