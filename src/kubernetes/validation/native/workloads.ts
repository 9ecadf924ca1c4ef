import { phrase } from '../../../core/diagnostics/index.ts';
import { get, isMap, type Value } from '../../../core/model/value.ts';
import { cron, job, jobTemplate } from './jobs.ts';
import { claimTemplate } from './metadata.ts';
import { podSpec, podTemplate, templateOf } from './pods.ts';
import {
  all,
  each,
  fields,
  isSet,
  itemsAt,
  map,
  missing,
  notNegative,
  oneOf,
  type Rule,
  refuse,
  required,
  text,
  textAt,
} from './rule.ts';
import { amountOf, atMost100Percent, countOrPercent, label, labelSelector, selects } from './syntax.ts';

const share = all(countOrPercent, atMost100Percent);

const selectsItsPods: Rule = map((spec, place) => {
  const { selector } = spec;
  if (!isMap(selector)) return;
  const size =
    Object.keys(isMap(selector.matchLabels) ? selector.matchLabels : {}).length +
    itemsAt(selector, 'matchExpressions').length;
  if (size === 0) refuse(place, phrase`must not be empty`, 'selector');
  const labels = get(get(templateOf(spec), 'metadata'), 'labels');
  if (!selects(selector, labels))
    refuse(place, phrase`must have the labels of the selector`, 'template', 'metadata', 'labels');
});

const runsForever: Rule = map((spec, place) => {
  const pod = get(templateOf(spec), 'spec');
  const policy = textAt(pod, 'restartPolicy');
  if (policy !== '' && policy !== 'Always')
    refuse(place, phrase`must be 'Always'`, 'template', 'spec', 'restartPolicy');
  if (isSet(pod, 'activeDeadlineSeconds'))
    refuse(place, phrase`must not be set`, 'template', 'spec', 'activeDeadlineSeconds');
});

const replicated = fields({
  replicas: notNegative,
  minReadySeconds: notNegative,
  selector: labelSelector,
});
const controller = all(required('selector', 'template'), replicated, selectsItsPods, runsForever);
/** An API server accepts any number in a StatefulSet. */
const history = fields({ revisionHistoryLimit: notNegative });

/** With the defaults of the API server for missing fields. */
const rollout = (value: Value | undefined, fallback: bigint): bigint =>
  value === undefined ? fallback : amountOf(value);

const DEFAULT_SHARE = 25n;

const deploymentStrategy: Rule = map((strategy, place) => {
  const { rollingUpdate } = strategy;
  if (textAt(strategy, 'type') === 'Recreate') {
    if (isMap(rollingUpdate)) refuse(place, phrase`must not be set if the type is 'Recreate'`, 'rollingUpdate');
    return;
  }
  fields({ rollingUpdate: fields({ maxUnavailable: share, maxSurge: countOrPercent }) })(strategy, place);
  const [down, up] = [
    rollout(get(rollingUpdate, 'maxUnavailable'), DEFAULT_SHARE),
    rollout(get(rollingUpdate, 'maxSurge'), DEFAULT_SHARE),
  ];
  if (down === 0n && up === 0n)
    refuse(place, phrase`must not be 0 if maxSurge is 0`, 'rollingUpdate', 'maxUnavailable');
});

const DEFAULT_DEADLINE = 600n;

const deploymentSpec = all(
  controller,
  history,
  fields({ strategy: deploymentStrategy, progressDeadlineSeconds: notNegative, template: podTemplate() }),
  map((spec, place) => {
    const { minReadySeconds, progressDeadlineSeconds = DEFAULT_DEADLINE } = spec;
    const ready = typeof minReadySeconds === 'bigint' ? minReadySeconds : 0n;
    if (typeof progressDeadlineSeconds === 'bigint' && progressDeadlineSeconds <= ready)
      refuse(place, phrase`must be more than minReadySeconds`, 'progressDeadlineSeconds');
  }),
);

const daemonStrategy: Rule = map((strategy, place) => {
  if (textAt(strategy, 'type') === 'OnDelete') return;
  fields({ rollingUpdate: fields({ maxUnavailable: share, maxSurge: share }) })(strategy, place);
  const rolling = strategy.rollingUpdate;
  const [down, up] = [rollout(get(rolling, 'maxUnavailable'), 1n), rollout(get(rolling, 'maxSurge'), 0n)];
  if (down === 0n && up === 0n)
    refuse(place, phrase`must not be 0 if maxSurge is 0`, 'rollingUpdate', 'maxUnavailable');
  if (down !== 0n && up !== 0n) refuse(place, phrase`must be 0 if maxUnavailable is not`, 'rollingUpdate', 'maxSurge');
});

const daemonSpec = all(controller, history, fields({ updateStrategy: daemonStrategy, template: podTemplate() }));

/** `maxUnavailable` is dropped unless a feature gate is enabled. */
const statefulStrategy: Rule = map((strategy, place) => {
  if (textAt(strategy, 'type') === 'OnDelete' && isMap(strategy.rollingUpdate))
    refuse(place, phrase`must not be set if the type is 'OnDelete'`, 'rollingUpdate');
  fields({ rollingUpdate: fields({ partition: notNegative }) })(strategy, place);
});

/** Host names and volumes of the same name come from the controller. */
const statefulTemplate: Rule = map((spec, place) => {
  const template = templateOf(spec);
  const pod = get(template, 'spec');
  if (!isMap(template)) return;
  if (!isMap(pod)) {
    missing(place, phrase`is required`, 'template', 'spec');
    return;
  }
  const claims = itemsAt(spec, 'volumeClaimTemplates').map((one) => textAt(get(one, 'metadata'), 'name'));
  const { hostname: _, subdomain: __, ...rest } = pod;
  const own = { ...template, spec: rest };
  place.path.push('template');
  podTemplate(claims)(own, place);
  place.path.pop();
});

const RETENTION = oneOf('', 'Retain', 'Delete');

const statefulSpec = all(
  controller,
  statefulTemplate,
  fields({
    serviceName: label,
    updateStrategy: statefulStrategy,
    ordinals: fields({ start: notNegative }),
    persistentVolumeClaimRetentionPolicy: fields({ whenDeleted: RETENTION, whenScaled: RETENTION }),
    volumeClaimTemplates: each(claimTemplate),
  }),
);

const replicaSpec = all(
  required('selector'),
  replicated,
  selectsItsPods,
  runsForever,
  fields({ template: podTemplate() }),
  (value, place) => {
    if (isMap(value) && !isMap(value.template)) missing(place, phrase`is required`, 'template');
  },
);

/** The name of a controller is a part of the names of its objects. */
function named(most: number, what: string): Rule {
  return fields({
    metadata: fields({
      name: text(
        (name) => name.length <= most,
        phrase`must have at most ${most} characters, since ${what} are named after it`,
      ),
    }),
  });
}

const labelsItsPods: Rule = map((object, place) => {
  const isManual = get(object.spec, 'manualSelector') === true;
  if (!isManual && textAt(object.metadata, 'name').length > 63)
    refuse(place, phrase`must have at most 63 characters, because it is a label of the pods`, 'metadata', 'name');
});

export const workloads: Readonly<Record<string, Rule>> = {
  'apps/Deployment': all(required('spec'), fields({ spec: deploymentSpec })),
  'apps/ReplicaSet': all(required('spec'), fields({ spec: replicaSpec })),
  'apps/DaemonSet': all(required('spec'), fields({ spec: daemonSpec })),
  'apps/StatefulSet': all(
    named(63, 'pods'),
    required('spec'),
    fields({ spec: statefulSpec, metadata: fields({ name: label }) }),
  ),
  'batch/Job': all(labelsItsPods, required('spec'), fields({ spec: job })),
  'batch/CronJob': all(named(52, 'Jobs'), required('spec'), fields({ spec: all(cron, fields({ jobTemplate })) })),
  '/Pod': all(required('spec'), fields({ spec: podSpec() })),
  '/PodTemplate': fields({ template: podTemplate() }),
};
