import { sha1 } from '../../core/digest/hashes.ts';
import { hex } from '../../core/digest/hex.ts';
import { utf8 } from '../../core/text/utf8.ts';

/** RFC 9562 URL namespace: 6ba7b811-9dad-11d1-80b4-00c04fd430c8. */
const URL_NAMESPACE = Uint8Array.from('6ba7b8119dad11d180b400c04fd430c8'.match(/../g) ?? [], (byte) =>
  Number.parseInt(byte, 16),
);

/**
 * Returns the uid of an instance without one: the UUIDv5 in the URL namespace of `<group>/<kind>/<namespace>/<name>`.
 * The same instance has the same id in every run.
 */
export function instanceId(of: { group: string; kind: string; namespace: string; name: string }): string {
  const name = utf8(`${of.group}/${of.kind}/${of.namespace}/${of.name}`);
  const input = new Uint8Array(URL_NAMESPACE.length + name.length);
  input.set(URL_NAMESPACE);
  input.set(name, URL_NAMESPACE.length);
  const bytes = sha1(input).slice(0, 16);
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x50;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  const text = hex(bytes);
  return `${text.slice(0, 8)}-${text.slice(8, 12)}-${text.slice(12, 16)}-${text.slice(16, 20)}-${text.slice(20)}`;
}
