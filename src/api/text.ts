import type { Diagnostic } from '../core/diagnostics/index.ts';
import type { KubeObject } from '../core/model/object.ts';
import { toJsonText, toYaml as writeObjects } from '../yaml/emit/index.ts';
import { formatDiagnostics as format } from '../yaml/locate/index.ts';
import { listIn, objectIn } from './arguments.ts';
import { fromPlain } from './plain.ts';
import { isText } from './sources.ts';
import type { JsonValue, ObjectSource, Source } from './types.ts';

/**
 * Returns objects as YAML documents that every reader reads equally, including bigint. apiVersion, kind and metadata
 * come first; other fields keep their order.
 * @throws TypeError for values that JSON cannot represent, with the path
 */
export function toYaml(objects: readonly ObjectSource[]): string {
  if (!Array.isArray(objects)) throw new TypeError('toYaml takes a list of objects');
  return writeObjects(objects.map((object, index) => fromPlain(objectIn(object, `[${index}]`), [index]) as KubeObject));
}

/**
 * Returns a value as JSON text, including bigint, for which `JSON.stringify` throws. `indent` is the number of spaces
 * per level; 0 for one line.
 * @throws TypeError for values that JSON cannot represent, with the path
 */
export const toJson = (value: JsonValue | ObjectSource | readonly ObjectSource[], indent = 2): string =>
  toJsonText(fromPlain(value), indent);

/**
 * Returns diagnostics as text, as the command line prints them: `error[CODE] OBJECT node NODE: message`, below it the
 * location, `  --> FILE:LINE:COL FIELD`, then a hint. If `sources` contains the text, the line of the location follows
 * with a mark under the position, unless it could contain a value of a Secret.
 * @throws TypeError for invalid diagnostics
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
