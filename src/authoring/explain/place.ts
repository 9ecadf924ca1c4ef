import { composeText, type Text, trusted } from '../../core/diagnostics/index.ts';
import type { InputObject } from '../../core/model/object.ts';
import type { Path } from '../../core/model/value.ts';
import type { Graph } from '../../kro/compile/index.ts';
import type { Locator } from '../../yaml/locate/index.ts';

/** A location in a file; lines and columns count from 1. */
export interface Place {
  file: string;
  line: number;
  column: number;
}

/** One locator for a whole explanation: it parses a document once. */
export interface Located {
  locator: Locator;
}

/** Returns the location of a path of an object; `undefined` for an object without a file. */
export function placeOf({ source }: InputObject, path: Path, { locator }: Located, offset?: number): Place | undefined {
  if (source === undefined) return undefined;
  const location = locator.locate({
    text: source.text,
    document: source.document,
    path: [...source.path, ...path],
    ...(offset === undefined ? {} : { offset }),
  });
  return location && { file: source.file, line: location.line, column: location.column };
}

export function placed(input: InputObject, path: Path, located: Located): { place?: Place } {
  const place = placeOf(input, path, located);
  return place === undefined ? {} : { place };
}

export const placeInRgd = ({ input }: Graph, path: Path, located: Located, offset?: number): Place | undefined =>
  placeOf(input, path, located, offset);

export const placeText = ({ file, line, column }: Place): Text => composeText`${trusted.file(file)}:${line}:${column}`;
