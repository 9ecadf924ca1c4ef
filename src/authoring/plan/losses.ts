import { counted, joinTexts, type Text, trusted } from '../../core/diagnostics/index.ts';
import { get, getAt, isMap, type Value } from '../../core/model/value.ts';
import { imagesIn } from './dangers/index.ts';

/** Returns in a few words what is lost with an object, of its redacted version: `2 replicas, nginx:1.27`; '' if little. */
export function lossOf(object: Value | undefined): Text {
  const at = (...path: (string | number)[]): Value | undefined => getAt(object, path);
  const replicas = at('spec', 'replicas');
  const storage = at('spec', 'resources', 'requests', 'storage') ?? at('spec', 'capacity', 'storage');
  const rules = at('spec', 'rules');
  const hosts = Array.isArray(rules) ? rules.map((rule) => get(rule, 'host')) : [];
  const data = ['data', 'binaryData', 'stringData'].map((field) => at(field));
  const keys = data.reduce<number>((sum, map) => sum + (isMap(map) ? Object.keys(map).length : 0), 0);
  const type = at('spec', 'type');
  const parts = [
    ...(typeof replicas === 'bigint' ? [counted(Number(replicas), 'replica')] : []),
    ...new Set(imagesIn(object ?? null).values()),
    ...(typeof storage === 'string' ? [storage] : []),
    ...hosts.filter((host) => typeof host === 'string'),
    ...(keys > 0 ? [counted(keys, 'key')] : []),
    ...(get(object, 'kind') === 'Service' && typeof type === 'string' ? [type] : []),
  ];
  return joinTexts(
    parts.map((part) => trusted.redacted(part)),
    ', ',
  );
}
