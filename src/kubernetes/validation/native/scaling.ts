import { phrase } from '../../../core/diagnostics/index.ts';
import { isContainerResource, notNegativeQuantity, positiveQuantity } from './resources.ts';
import {
  all,
  between,
  each,
  fields,
  isSet,
  itemsAt,
  map,
  missing,
  notNegative,
  oneOf,
  positive,
  type Rule,
  refuse,
  required,
  text,
  textAt,
} from './rule.ts';
import { atMost100Percent, countOrPercent, label, labelSelector, pathSegment } from './syntax.ts';

const reference = (mayBeCore: boolean): Rule =>
  all(
    required('kind', 'name'),
    fields({ kind: pathSegment, name: pathSegment }),
    map((one, place) => {
      const [group = '', ...version] = textAt(one, 'apiVersion').split('/');
      const isGrouped = group !== '' && version.length === 1;
      if (version.length > 1 || (!mayBeCore && !isGrouped))
        refuse(place, phrase`must be GROUP/VERSION such as apps/v1`, 'apiVersion');
    }),
  );

const target: Rule = all(
  required('type'),
  fields({
    value: positiveQuantity,
    averageValue: positiveQuantity,
    averageUtilization: positive,
    type: oneOf('Utilization', 'Value', 'AverageValue'),
  }),
);

const wants = (first: string, second?: string, isEither = true): Rule =>
  map((one, place) => {
    const has = (key: string): boolean => isSet(one.target, key);
    const names = second === undefined ? first : `${first} or ${second}`;
    if (!has(first) && !(second !== undefined && has(second))) missing(place, phrase`must have ${names}`, 'target');
    if (isEither && second !== undefined && has(first) && has(second))
      refuse(place, phrase`must not have both ${first} and ${second}`, 'target');
  });

const metric = all(required('name'), fields({ name: pathSegment }));

const SOURCES: Readonly<Record<string, Rule>> = {
  object: all(
    required('describedObject', 'metric', 'target'),
    fields({ describedObject: reference(true), metric, target }),
    wants('value', 'averageValue', false),
  ),
  external: all(required('metric', 'target'), fields({ metric, target }), wants('value', 'averageValue')),
  pods: all(required('metric', 'target'), fields({ metric, target }), wants('averageValue')),
  resource: all(required('name', 'target'), fields({ target }), wants('averageUtilization', 'averageValue')),
  containerResource: all(
    required('name', 'container', 'target'),
    fields({ name: text(isContainerResource, phrase`must be a resource of containers`), container: label, target }),
    wants('averageUtilization', 'averageValue'),
  ),
};

const TYPES: Readonly<Record<string, string>> = {
  Object: 'object',
  External: 'external',
  Pods: 'pods',
  Resource: 'resource',
  ContainerResource: 'containerResource',
};

const metricSpec: Rule = all(
  fields(SOURCES),
  map((one, place) => {
    const type = textAt(one, 'type');
    const own = TYPES[type];
    if (own === undefined) {
      refuse(place, phrase`must be one of ${Object.keys(TYPES).join(', ')}`, 'type');
      return;
    }
    if (!isSet(one, own)) missing(place, phrase`is required if the type is '${type}'`, own);
    for (const key of Object.values(TYPES))
      if (key !== own && isSet(one, key)) refuse(place, phrase`must not be set if the type is '${type}'`, key);
  }),
);

const HOUR = 3600n;
const MAX_PERIOD = 1800n;

/** The API server fills in missing policies. */
const scaling: Rule = all(
  fields({
    stabilizationWindowSeconds: between(0n, HOUR),
    selectPolicy: oneOf('Max', 'Min', 'Disabled'),
    tolerance: notNegativeQuantity,
    policies: each(
      all(
        required('type', 'value', 'periodSeconds'),
        fields({ type: oneOf('Pods', 'Percent'), value: positive, periodSeconds: between(1n, MAX_PERIOD) }),
      ),
    ),
  }),
  map((one, place) => {
    if (Array.isArray(one.policies) && one.policies.length === 0)
      missing(place, phrase`must have at least 1 item`, 'policies');
  }),
);

const autoscaler = all(
  required('spec'),
  fields({
    spec: all(
      required('maxReplicas', 'scaleTargetRef'),
      fields({
        // Kubernetes before 1.37 rejects zero.
        minReplicas: notNegative,
        maxReplicas: positive,
        scaleTargetRef: reference(false),
        metrics: each(metricSpec),
        behavior: fields({ scaleUp: scaling, scaleDown: scaling }),
        targetCPUUtilizationPercentage: positive,
      }),
      map((spec, place) => {
        const { minReplicas, maxReplicas } = spec;
        if (typeof maxReplicas === 'bigint' && typeof minReplicas === 'bigint' && maxReplicas < minReplicas)
          refuse(place, phrase`must be at least minReplicas`, 'maxReplicas');
        const types = itemsAt(spec, 'metrics').map((one) => textAt(one, 'type'));
        if (minReplicas === 0n && !types.includes('Object') && !types.includes('External'))
          refuse(place, phrase`may only be 0 with an Object or External metric`, 'minReplicas');
      }),
    ),
  }),
);

const share = all(countOrPercent, atMost100Percent);

const budget = fields({
  spec: all(
    fields({
      minAvailable: share,
      maxUnavailable: share,
      selector: labelSelector,
      unhealthyPodEvictionPolicy: oneOf('IfHealthyBudget', 'AlwaysAllow'),
    }),
    map((spec, place) => {
      if (isSet(spec, 'minAvailable') && isSet(spec, 'maxUnavailable'))
        refuse(place, phrase`must not be set together with minAvailable`, 'maxUnavailable');
    }),
  ),
});

export const scalers: Readonly<Record<string, Rule>> = {
  'autoscaling/HorizontalPodAutoscaler': autoscaler,
  'policy/PodDisruptionBudget': budget,
};
