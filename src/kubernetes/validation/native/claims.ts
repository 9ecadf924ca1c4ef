import { phrase } from '../../../core/diagnostics/index.ts';
import { isMap, type Value } from '../../../core/model/value.ts';
import { metadata } from './metadata.ts';
import { positiveQuantity } from './quantities.ts';
import { all, each, fields, itemsAt, map, missing, oneOf, type Rule, refuse, required, textAt } from './rule.ts';
import { labelSelector, subdomain } from './syntax.ts';

const MODES = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];

const source: Rule = map((value, place) => {
  if (textAt(value, 'name') === '') missing(place, phrase`is required`, 'name');
  if (textAt(value, 'kind') === '') missing(place, phrase`is required`, 'kind');
  if (textAt(value, 'apiGroup') === '' && textAt(value, 'kind') !== 'PersistentVolumeClaim')
    refuse(place, phrase`must be 'PersistentVolumeClaim' where apiGroup is empty`, 'kind');
  if (textAt(value, 'apiGroup') !== '') fields({ apiGroup: subdomain })(value, place);
});

/** The API server drops a reference to any other kind. */
const isSource = (value: Value | undefined): boolean => {
  const [group, kind] = [textAt(value, 'apiGroup'), textAt(value, 'kind')];
  return (
    (group === '' && kind === 'PersistentVolumeClaim') ||
    (group === 'snapshot.storage.k8s.io' && kind === 'VolumeSnapshot')
  );
};

/** pkg/apis/core/validation, ValidatePersistentVolumeClaimSpec. */
export const claimSpec: Rule = all(
  map((spec, place) => {
    const modes = itemsAt(spec, 'accessModes');
    if (modes.length === 0) missing(place, phrase`must have at least 1 item`, 'accessModes');
    if (modes.includes('ReadWriteOncePod') && modes.some((mode) => mode !== 'ReadWriteOncePod'))
      refuse(place, phrase`must not combine ReadWriteOncePod with others`, 'accessModes');
    const requests = isMap(spec.resources) ? spec.resources.requests : undefined;
    if (!isMap(requests) || requests.storage === undefined)
      missing(place, phrase`is required`, 'resources', 'requests', 'storage');
    if (isSource(spec.dataSource)) fields({ dataSource: source })(spec, place);
  }),
  fields({
    volumeMode: oneOf('Block', 'Filesystem'),
    // biome-ignore lint/plugin: values of a table
    accessModes: each(oneOf(...MODES)),
    selector: labelSelector,
    storageClassName: subdomain,
    volumeAttributesClassName: subdomain,
    resources: fields({ requests: fields({ storage: positiveQuantity }) }),
    dataSourceRef: map((value, place) => {
      if (textAt(value, 'namespace') === '') source(value, place);
    }),
  }),
);

export const claim: Rule = all(required('spec'), fields({ spec: claimSpec }));
export const claimTemplate: Rule = all(required('spec'), fields({ metadata, spec: claimSpec }));
