import type { Diagnostic } from '../core/diagnostics/index.ts';
import type { KubeObject } from '../core/model/object.ts';
import { toJsonText, toYaml as writeObjects } from '../yaml/emit/index.ts';
import { formatDiagnostics as format } from '../yaml/locate/index.ts';
import { listIn, objectIn } from './arguments.ts';
import { fromPlain } from './plain.ts';
import { isText } from './sources.ts';
import type { JsonValue, ObjectSource, Source } from './types.ts';

/**
 * Objects as YAML documents that every reader reads alike, bigint included. Identity comes first, all else in its order.
 * @throws TypeError for what JSON cannot hold, with the place
 */
export function toYaml(objects: readonly ObjectSource[]): string {
  if (!Array.isArray(objects)) throw new TypeError('toYaml takes a list of objects');
  return writeObjects(objects.map((object, index) => fromPlain(objectIn(object, `[${index}]`), [index]) as KubeObject));
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
 * @throws TypeError for what is no diagnostic
 */
export function formatDiagnostics(diagnostics: readonly Diagnostic[], sources: readonly Source[] = []): string {
  listIn(diagnostics, 'diagnostics').forEach((diagnostic, index) => {
    const { code, severity, message } = objectIn(diagnostic, `diagnostics[${index}]`);
    const isDiagnostic = [code, severity, message].every((member) => typeof member === 'string');
    if (!isDiagnostic)
      throw new TypeError(`diagnostics[${index}] must be a diagnostic with code, severity and message`);
  });
  const texts = listIn(sources, 'sources').map((source, index) => objectIn(source, `sources[${index}]`));
  return format(diagnostics, new Map(texts.filter(isText).map(({ file, text }) => [file, text])));
}
