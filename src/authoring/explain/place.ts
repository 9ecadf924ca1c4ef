import { composeText, type Text, trusted } from '../../core/diagnostics/index.ts';
import type { InputObject } from '../../core/model/object.ts';
import type { Path } from '../../core/model/value.ts';
import type { Location } from '../../core/text/line-index.ts';
import type { Graph } from '../../kro/compile/index.ts';
import { type Locator, locationOf } from '../../yaml/locate/index.ts';

export type { Location };

/** One locator for a whole explanation: it parses a document once. */
export interface Located {
  locator: Locator;
}

/** Returns the location of a path of an object; `undefined` for an object without a file. */
export const placeOf = (
  { source }: InputObject,
  path: Path,
  { locator }: Located,
  offset?: number,
): Location | undefined => locationOf(locator, source, path, offset);

export function placed(input: InputObject, path: Path, located: Located): { place?: Location } {
  const place = placeOf(input, path, located);
  return place === undefined ? {} : { place };
}

export const placeInRgd = ({ input }: Graph, path: Path, located: Located, offset?: number): Location | undefined =>
  placeOf(input, path, located, offset);

export const locationText = ({ file, line, column }: Location): Text =>
  composeText`${trusted.file(file)}:${line}:${column}`;
