import { phrase } from '../../../core/diagnostics/index.ts';
import { quantityOf } from './resources.ts';
import { all, map, type Rule, refuse, required, textAt } from './rule.ts';
import { isQualified } from './syntax.ts';

const ENVIRONMENT = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
];
const VOLUME = ['metadata.name', 'metadata.namespace', 'metadata.labels', 'metadata.annotations', 'metadata.uid'];
const PATHS = { env: ENVIRONMENT, volume: VOLUME };
const SUBSCRIPT = /^(metadata\.(?:labels|annotations))\['(.*)'\]$/;

/** A field of the pod itself (pkg/apis/core/pods, ConvertDownwardAPIFieldLabel). */
export const fieldReference = (where: 'env' | 'volume'): Rule =>
  all(
    required('fieldPath'),
    map((reference, place) => {
      const path = textAt(reference, 'fieldPath');
      if (path === '') return;
      const version = textAt(reference, 'apiVersion');
      if (version !== '' && version !== 'v1') refuse(place, phrase`must be 'v1'`, 'apiVersion');
      const [, field = '', key = ''] = SUBSCRIPT.exec(path) ?? [];
      const isValid =
        field === ''
          ? PATHS[where].includes(path)
          : isQualified(field.endsWith('annotations') ? key.toLowerCase() : key);
      if (!isValid)
        refuse(
          place,
          phrase`must be one of ${PATHS[where].join(', ')}, metadata.labels['KEY'] or metadata.annotations['KEY']`,
          'fieldPath',
        );
    }),
  );

const RESOURCES = ['cpu', 'memory', 'ephemeral-storage'].flatMap((name) => [`limits.${name}`, `requests.${name}`]);
const DIVISORS: Readonly<Record<string, readonly string[]>> = {
  cpu: ['1m', '1'],
  memory: ['1', '1k', '1M', '1G', '1T', '1P', '1E', '1Ki', '1Mi', '1Gi', '1Ti', '1Pi', '1Ei'],
};

/** A resource of a container of the pod. */
export const resourceReference: Rule = all(
  required('resource'),
  map((reference, place) => {
    const resource = textAt(reference, 'resource');
    const isHuge = /^(?:limits|requests)\.hugepages-/.test(resource);
    if (resource !== '' && !RESOURCES.includes(resource) && !isHuge)
      refuse(place, phrase`must be one of ${RESOURCES.join(', ')}`, 'resource');
    const { divisor } = reference;
    const amount = quantityOf(divisor);
    if (amount === undefined || amount.unscaled === 0n || divisor === undefined) return;
    const allowed = DIVISORS[resource.endsWith('.cpu') ? 'cpu' : 'memory'] ?? [];
    if (!allowed.includes(String(divisor))) refuse(place, phrase`must be one of ${allowed.join(', ')}`, 'divisor');
  }),
);
