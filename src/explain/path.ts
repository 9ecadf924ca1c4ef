import type { Path } from '../model/value.ts';

const STEP = /^(?:\.([A-Za-z0-9_-]+)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*"|'[^']*')\])/;

/**
 * Reads a path as diagnostics print it, with a dot in front: `.spec.ports[0].name`, `.metadata.labels["a.b/c"]`.
 * `undefined` when it is none; `.` alone is the whole object.
 */
export function parsePath(text: string): Path | undefined {
  if (text === '.') return [];
  const path: (string | number)[] = [];
  for (let rest = text; rest !== ''; ) {
    const match = STEP.exec(rest);
    if (match === null) return undefined;
    const [whole, name, index, quoted] = match;
    if (name !== undefined) path.push(name);
    else if (index !== undefined) path.push(Number(index));
    else path.push(unquoted(quoted ?? ''));
    rest = rest.slice(whole.length);
  }
  return path;
}

const unquoted = (text: string): string =>
  text.startsWith("'") ? text.slice(1, -1) : String(JSON.parse(text.replace(/\\(?!["\\/bfnrtu])/g, '\\\\')));
