import { phrase } from '../../../core/diagnostics/index.ts';
import { isMap, type Value } from '../../../core/model/value.ts';
import { ownerFault } from '../owner.ts';
import { positiveQuantity } from './resources.ts';
import {
  all,
  each,
  eachKey,
  fields,
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
import { isQualified, labelSelector, labels, subdomain } from './syntax.ts';

const MAX_ANNOTATIONS = 256 * 1024;
const bytes = (text: string): number => new TextEncoder().encode(text).length;

const annotations = all(
  eachKey(
    (key) => isQualified(key.toLowerCase()),
    phrase`is not a valid annotation key: [prefix/]name, the name of letters, digits, dashes, underscores and dots, at most 63`,
  ),
  (value, place) => {
    if (!isMap(value)) return;
    const size = Object.entries(value).reduce(
      (sum, [key, one]) => sum + bytes(key) + (typeof one === 'string' ? bytes(one) : 0),
      0,
    );
    if (size > MAX_ANNOTATIONS) refuse(place, phrase`must not have more than ${MAX_ANNOTATIONS} bytes`);
  },
);

const finalizer = text(
  isQualified,
  phrase`must be [prefix/]name: letters, digits, dashes, underscores and dots, at most 63`,
);

/** k8s.io/apimachinery/pkg/api/validation, ValidateObjectMeta. Each kind has its own rules for names. */
export const metadata: Rule = fields({ labels, annotations });

export const objectMetadata: Rule = all(
  metadata,
  fields({
    generation: notNegative,
    finalizers: each(finalizer),
    ownerReferences: each(all(required('apiVersion', 'kind', 'name', 'uid'), owner)),
  }),
);

function owner(value: Value, place: Parameters<Rule>[1]): void {
  const fault = isMap(value) ? ownerFault(value) : undefined;
  if (fault !== undefined) refuse(place, fault);
}

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
