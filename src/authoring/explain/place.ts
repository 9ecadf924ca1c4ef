import { composeText, type Text, trusted } from '../../core/diagnostics/index.ts';
import type { InputObject } from '../../core/model/object.ts';
import type { Path, Value } from '../../core/model/value.ts';
import type { Location } from '../../core/text/line-index.ts';
import { type Locator, locationOf } from '../../yaml/locate/index.ts';

export type { Location };

/** One locator for a whole explanation: it parses a document once. */
export interface Located {
  locator: Locator;
}

/** Returns the location of a path of an object, if the object has a file, and a value that is written there. */
export function placed(
  { source }: InputObject,
  path: Path,
  { locator }: Located,
  value?: Value,
): { place?: Location; value?: Value } {
  const place = locationOf(locator, source, path);
  return { ...(place && { place }), ...(value !== undefined && { value }) };
}

export const locationText = ({ file, line, column }: Location): Text =>
  composeText`${trusted.file(file)}:${line}:${column}`;
