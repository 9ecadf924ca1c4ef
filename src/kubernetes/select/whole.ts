import { type Code, type Collector, phrase, reporterFor, type Severity } from '../../core/diagnostics/index.ts';
import { type KubeObject, nameOf } from '../../core/model/object.ts';
import type { Entry } from '../../core/model/render.ts';
import { get } from '../../core/model/value.ts';

/** Who takes only whole objects, and what is said of those that are not. */
export interface Taker {
  code: Code;
  /** What follows `Kind without FIELD: `. */
  reason: string;
  hint: string;
  /** Whether `metadata.generateName` does for a name. */
  generatesNames?: boolean;
  /** Defaults to 'error'. */
  severity?: Severity;
}

/**
 * Refuses rendered objects without an apiVersion or a name, each with the template that it came from. A command that
 * prints objects prints those too, as the Flux operator's build does; what is read by its fields has to have them.
 */
export function refuseIncomplete(entries: readonly Entry[], taker: Taker, reports: Collector): void {
  for (const { input, rendered } of entries) {
    for (const { object, template } of rendered) {
      const field = missingField(object, taker.generatesNames ?? false);
      if (field === undefined) continue;
      const name = nameOf(object);
      const title = name === '' ? object.kind : `${object.kind}/${name}`;
      reporterFor(template?.input ?? input, reports).report({
        code: taker.code,
        message: phrase`${title} without ${field}: ${taker.reason}`,
        path: template?.path ?? [],
        hint: phrase`${taker.hint}`,
        ...(taker.severity && { severity: taker.severity }),
      });
    }
  }
}

/** What a rendered object lacks; a kind it has, and metadata. */
function missingField(object: KubeObject, generatesNames: boolean): string | undefined {
  if (typeof object.apiVersion !== 'string' || object.apiVersion === '') return 'apiVersion';
  if (nameOf(object) !== '') return undefined;
  const prefix = generatesNames ? get(get(object, 'metadata'), 'generateName') : undefined;
  return typeof prefix === 'string' && prefix !== '' ? undefined : 'metadata.name';
}
