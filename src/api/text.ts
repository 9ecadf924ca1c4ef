import type { Diagnostic } from '../diagnostics/index.ts';
import { toJsonText, toYaml as writeObjects } from '../emit/index.ts';
import { formatDiagnostics as format } from '../locate/index.ts';
import type { KubeObject } from '../model/object.ts';
import { fromPlain } from './plain.ts';
import { isText } from './sources.ts';
import type { JsonValue, ObjectSource, Source } from './types.ts';

/**
 * Objects as YAML documents that every reader reads alike, bigint included. Identity comes first, all else in its order.
 * @throws TypeError for what JSON cannot hold, with the place
 */
export function toYaml(objects: readonly ObjectSource[]): string {
  if (!Array.isArray(objects)) throw new TypeError('toYaml takes a list of objects');
  return writeObjects(objects.map((object, index) => fromPlain(object, [index]) as KubeObject));
}

/**
 * A value as JSON text, bigint included, where `JSON.stringify` would throw. `indent` is the number of spaces a level
 * is indented by; 0 for one line.
 * @throws TypeError for what JSON cannot hold, with the place
 */
export const toJson = (value: JsonValue | ObjectSource | readonly ObjectSource[], indent = 2): string =>
  toJsonText(fromPlain(value), indent);

/**
 * Diagnostics for people, as the command line shows them: a line each, `FILE:LINE:COL: error[CODE] OBJECT node NODE
 * FIELD: message`, then a hint. With the sources that were rendered, the line of the text follows with a mark under the
 * place, unless it would show what a Secret keeps.
 */
export function formatDiagnostics(diagnostics: readonly Diagnostic[], sources: readonly Source[] = []): string {
  return format(diagnostics, new Map(sources.filter(isText).map(({ file, text }) => [file, text])));
}
