import type { ObjectSource } from '../../../../src/api/index.ts';
import type { Code } from '../../../../src/core/diagnostics/diagnostic.ts';
import { type Example, inFolder } from './example.ts';
import { configMap, object, rgd, service, x } from './objects.ts';

/** Runs `render-rgd observe` on a package that reads an address of a Service and, by reference, a value of a Secret. */
const observing = (...live: readonly ObjectSource[]) =>
  inFolder(
    { 'package.json': JSON.stringify(list(rgd({}, resources), x())), 'live.json': JSON.stringify(list(...live)) },
    'observe',
    'package.json',
    '--from',
    'live.json',
  );

const list = (...items: readonly ObjectSource[]) => ({ apiVersion: 'v1', kind: 'List', items });
const resources = [
  service(),
  { id: 'secret', externalRef: { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's', namespace: 'ns' } } },
  configMap('a', { ip: '${service.spec.clusterIP}', key: '${string(secret.data.key)}' }),
];
const secret = object('v1', 'Secret', { name: 's', namespace: 'ns' }, { data: { key: 'aGk=' } });

export const observeExamples = {
  'observed-answer': { find: observing({ apiVersion: 'v1', kind: 'Status', message: 'not found' }) },
  'observed-mismatch': {
    find: observing(object('other.example/v1', 'Secret', { name: 's', namespace: 'ns' })),
    hint: 'kubectl get --namespace=ns -- Secret.v1. s',
  },
  'observed-version': {
    find: observing(object('v2', 'Secret', { name: 's', namespace: 'ns' })),
    severity: 'warning',
    hint: 'kubectl get --namespace=ns -- Secret.v1. s',
  },
  'observed-secret': { find: observing(secret), hint: '--allow-secrets' },
  'observed-unread': { find: observing(object('v1', 'ConfigMap', { name: 'other' })), severity: 'info' },
} as const satisfies Partial<Record<Code, Example>>;
