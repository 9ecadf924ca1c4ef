import type { Path } from './value.ts';

const PLAIN = /^[A-Za-z0-9_-]+$/;

/** Formats a path: `spec.ports[0].name`, `metadata.annotations["a.b/c"]`. The empty path is ''. */
export function formatPath(path: Path): string {
  let text = '';
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`;
    else if (!PLAIN.test(step)) text += `[${JSON.stringify(step)}]`;
    else text += text === '' ? step : `.${step}`;
  }
  return text;
}

/** Every element of a list, or every value of a map. */
export const EACH: unique symbol = Symbol('each');

/** A step of a path that may match many values. */
export type Step = string | number | typeof EACH;

/** Returns the part of a path that leads to one value; the rest may match many. */
export function upToEach(path: readonly Step[]): Path {
  const end = path.indexOf(EACH);
  return (end < 0 ? path : path.slice(0, end)) as Path;
}
