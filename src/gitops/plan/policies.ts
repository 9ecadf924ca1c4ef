import { isPolicy } from '../../check/policies/index.ts';
import { type Denials, type DiffOptions, denialsBy, inputOfReviewed } from '../../compare/diff/index.ts';
import type { Reviewed } from '../../compare/review/index.ts';
import { composeText, type Report, trusted } from '../../core/diagnostics/index.ts';
import { type Counted, NO_EVIDENCE } from '../../core/ledger/index.ts';
import { getOrCompute } from '../../core/model/lazily.ts';
import { type Document, type InputObject, identityOf } from '../../core/model/object.ts';
import { equal } from '../../core/model/value.ts';
import { objectsIn } from '../../yaml/parse/index.ts';
import { type Application, titleOfApplication } from './application.ts';
import { filesOf } from './files-of.ts';
import type { Side } from './side.ts';

export interface DeployedPolicies {
  /** Returns what the policies of the cluster of an application deny; `undefined` without policies. */
  of(application: Application): Denials | undefined;
  reports(): readonly Report[];
  /** Returns the number of decisions about changed objects, and those that are not made. A denial is a danger. */
  decisions(): Counted;
}

/** Returns the policies of each cluster. Parameters and namespaces may be in any file. An application without a known cluster may be in each of them. */
export function deployedPolicies(
  { applications, context: { repository }, renderOnce }: Side,
  given: readonly Document[],
  options: DiffOptions,
): DeployedPolicies {
  const { manifestsWith, objectsOf } = repository;
  const files = manifestsWith('ValidatingAdmissionPolicy');
  const everywhere = objectsIn(given);
  if (files.length === 0 && everywhere.length === 0) return NONE;
  const deploying = applications
    .map((application) => ({ application, read: filesOf(application, repository) }))
    .filter(({ read }) => files.some((path) => read.has(path)));
  const rendered = deploying.map(({ application }) => ({ application, version: renderOnce(application) }));
  const written = new Map(
    manifestsWith('').flatMap((path) => objectsOf(path).map((input) => [identityOf(input.object), input] as const)),
  );
  // Reports of an object that is deployed as it is written lead to its file.
  const inputOf = (one: Reviewed): InputObject => {
    const input = written.get(identityOf(one.object));
    return input !== undefined && equal(input.object, one.object) ? input : inputOfReviewed(one);
  };
  const others = [...written.values()].filter((input) => !isPolicy(input));
  const byCluster = new Map<string, Denials | undefined>();
  const inCluster = (cluster: string): Denials | undefined => {
    const objects = rendered
      .filter(({ application }) => ['', cluster].includes(application.deployment.cluster) || cluster === '')
      .flatMap(({ version }) => version.objects.map(inputOf));
    return denialsBy([...everywhere, ...objects, ...others], everywhere, options);
  };
  const undeployed = files.filter(
    (path) => !deploying.some(({ read }) => read.has(path)) && objectsOf(path).some(isPolicy),
  );
  const unread = rendered.flatMap(({ application, version: { error } }): Report[] => {
    if (error === undefined) return [];
    const message = composeText`its policies are not evaluated: ${error}`;
    return [{ ...UNREAD, message, object: titleOfApplication(application) }];
  });
  if (undeployed.length > 0) {
    const [first = ''] = undeployed;
    const more = undeployed.length === 1 ? composeText`` : composeText` and ${undeployed.length - 1} more`;
    unread.push({
      ...UNREAD,
      message: composeText`nothing here deploys the policies of ${trusted.file(first)}${more}, which are not evaluated`,
      hint: composeText`pass them with --policies, or name them in a render-rgd.yaml`,
    });
  }
  return {
    of: ({ deployment: { cluster } }: Application) => getOrCompute(byCluster, cluster, () => inCluster(cluster)),
    reports: () => [...unread, ...[...byCluster.values()].flatMap((one) => one?.reports() ?? [])],
    decisions: () => {
      const all = [...byCluster.values()].flatMap((one) => one?.decisions() ?? []);
      return {
        all: all.reduce((sum, one) => sum + one.all, 0),
        named: all.flatMap(({ named }) => named.filter(({ outcome }) => outcome.is === 'unseen')),
      };
    },
  };
}

const UNREAD = { code: 'policy-not-evaluated', severity: 'info', path: [] } as const;

const NONE: DeployedPolicies = {
  of: () => undefined,
  reports: () => [],
  decisions: () => NO_EVIDENCE.policies,
};
