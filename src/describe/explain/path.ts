import { composeText, type Text, trusted } from '../../core/diagnostics/index.ts';
import type { KubeObject } from '../../core/model/object.ts';
import { getAt, type Path } from '../../core/model/value.ts';
import { isSecret, type Secrecy } from '../../core/redaction/index.ts';
import { findItem } from '../../kubernetes/items/index.ts';
import { memberSchema, type Schema } from '../../kubernetes/schema/index.ts';
import { addressOf } from '../address/index.ts';

/** A path whose list items may be named by merge keys. */
export type WrittenPath = readonly (string | number | { item: string })[];

const STEP = /^(?:\.([A-Za-z0-9_-]+)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*"|'[^']*')\]|\[((?:[^[\]"']|"(?:[^"\\]|\\.)*")+)\])/;

/** Does the same as `parseFieldPath`, and returns `undefined` also if an item is named by its keys. */
export function parsePath(text: string): Path | undefined {
  const path = parseFieldPath(text);
  return path?.every((step) => typeof step !== 'object') ? (path as Path) : undefined;
}

/**
 * Parses a path as diagnostics and `diff` print it, with or without a leading dot: `.spec.ports[0].name`,
 * `metadata.labels["a.b/c"]`, `spec.containers[web].image`; a single name needs the dot. Returns `undefined` for an
 * invalid path; `.` alone is the whole object.
 */
export function parseFieldPath(text: string): WrittenPath | undefined {
  if (text === '.') return [];
  const path: (string | number | { item: string })[] = [];
  for (let rest = /^\w[\w-]*[.[]/.test(text) ? `.${text}` : text; rest !== ''; ) {
    const match = STEP.exec(rest);
    if (match === null) return undefined;
    const [whole, name, index, quoted, item] = match;
    if (name !== undefined) path.push(name);
    else if (index !== undefined) path.push(Number(index));
    else if (item !== undefined) path.push({ item });
    else path.push(unquoted(quoted ?? ''));
    rest = rest.slice(whole.length);
  }
  return path;
}

const unquoted = (text: string): string =>
  text.startsWith("'") ? text.slice(1, -1) : String(JSON.parse(text.replace(/\\(?!["\\/bfnrtu])/g, '\\\\')));

/** Resolves the items that a path names by merge keys, unless a key may be a value of a Secret. */
export function resolvePath(
  object: KubeObject,
  written: WrittenPath,
  { schema, secrecy }: { schema: Schema | undefined; secrecy: Secrecy },
): { path: Path } | { fault: Text } {
  const path: (string | number)[] = [];
  let at = schema;
  for (const step of written) {
    if (typeof step !== 'object') {
      path.push(step);
      at = typeof step === 'number' ? at?.items : memberSchema(at, step);
      continue;
    }
    const list = getAt(object, path);
    const found = Array.isArray(list) ? findItem(list, step.item, at) : undefined;
    const isHidden = found?.keys.some((key) => isSecret(secrecy, [...path, found.place, key]));
    if (found === undefined || isHidden) {
      const where = path.length === 0 ? addressOf(object) : trusted.field(path);
      return { fault: composeText`there is no item [${trusted.argument(step.item)}] in ${where}` };
    }
    path.push(found.place);
    at = at?.items;
  }
  return { path };
}
