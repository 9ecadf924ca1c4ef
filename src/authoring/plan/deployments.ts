import { composeText, trusted } from '../../core/diagnostics/index.ts';
import { groupBy } from '../../core/model/group-by.ts';
import { type Application, applicationKey } from './application.ts';
import type { Danger } from './dangers/index.ts';
import type { PlannedDanger } from './result.ts';

/** Reports changes of where and how an application is applied, which its objects do not show. */
export function deploymentDangers(old: Application, newer: Application): Danger[] {
  const [was, is] = [old.deployment, newer.deployment];
  const dangers: Danger[] = [];
  if (was.cluster !== is.cluster) {
    const message = composeText`its cluster changes from '${trusted.definition(was.cluster)}' to '${trusted.definition(is.cluster)}': its objects are left in the old one, and created in the new one`;
    dangers.push({ code: 'danger-destination', message });
  }
  if (was.namespace !== is.namespace) {
    const message = composeText`the namespace of its destination changes from '${trusted.definition(was.namespace)}' to '${trusted.definition(is.namespace)}'`;
    dangers.push({ code: 'danger-destination', message });
  }
  const fields = new Set([...Object.keys(was.settings), ...Object.keys(is.settings)]);
  for (const field of [...fields].sort()) {
    const [before, after] = [was.settings[field], is.settings[field]];
    const isHarmless = field === 'spec.deletionPolicy' && is.onDelete.word !== 'deleted';
    if (before === after || isHarmless) continue;
    const message = composeText`${trusted.definition(field)} changes from ${trusted.definition(before ?? 'nothing')} to ${trusted.definition(after ?? 'nothing')}`;
    dangers.push({ code: 'danger-application', message });
  }
  return dangers;
}

/** Reports applications that get a namesake in their cluster: it is unknown which of them is deployed. */
export function namesakeDangers(before: readonly Application[], after: readonly Application[]): PlannedDanger[] {
  const [old, newer] = [namesakes(before), namesakes(after)];
  return [...newer].flatMap(([key, those]): PlannedDanger[] => {
    const [application, second] = those;
    if (application === undefined || second === undefined || those.length <= (old.get(key)?.length ?? 0)) return [];
    const places = those.map(({ place }) => place).join(', ');
    const message = composeText`it is declared ${those.length} times (${trusted.file(places)}), and only one of them can be deployed`;
    return [{ code: 'danger-same-name', application, message }];
  });
}

/** Flux applies a Kustomization in its own cluster, and Argo CD has one cluster for all Applications of a repository. */
const namesakes = (applications: readonly Application[]): Map<string, Application[]> =>
  groupBy(applications, (one) => {
    const { controller, cluster } = one.deployment;
    return controller === '' ? undefined : `${controller === 'Argo CD' ? '' : cluster} ${applicationKey(one)}`;
  });
