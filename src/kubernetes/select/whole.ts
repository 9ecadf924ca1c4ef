import { type Code, type Collector, phrase, reporterFor, type Severity } from '../../core/diagnostics/index.ts';
import { type KubeObject, nameOf } from '../../core/model/object.ts';
import type { Entry } from '../../core/model/render.ts';
import { get } from '../../core/model/value.ts';

/** A consumer that accepts complete objects only, and its error for others. */
export interface Taker {
  code: Code;
  /** The text after `Kind without FIELD: `. */
  reason: string;
  hint: string;
  /** Whether `metadata.generateName` counts as a name. */
  generatesNames?: boolean;
  /** Defaults to 'error'. */
  severity?: Severity;
}

/**
 * Rejects rendered objects without an apiVersion or a name, each with its template. Commands that print objects print
 * those too, as the Flux operator's build does; consumers that read their fields need them.
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

/** Returns the missing field of a rendered object, which always has a kind and metadata. */
function missingField(object: KubeObject, generatesNames: boolean): string | undefined {
  if (typeof object.apiVersion !== 'string' || object.apiVersion === '') return 'apiVersion';
  if (nameOf(object) !== '') return undefined;
  const prefix = generatesNames ? get(get(object, 'metadata'), 'generateName') : undefined;
  return typeof prefix === 'string' && prefix !== '' ? undefined : 'metadata.name';
}
