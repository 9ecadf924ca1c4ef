import { type Problem, phrase, shown } from '../../core/diagnostics/index.ts';
import { KRO_PREFIXES } from '../../core/model/keys.ts';
import { get, isMap, type Path, type ValueMap } from '../../core/model/value.ts';

const ORCHESTRATOR_KEYS =
  /^(internal\.config\.kubernetes\.io\/|config\.kubernetes\.io\/(path|index|local-config|function)$)/;

export const isReservedKey = (key: string): boolean => KRO_PREFIXES.some((prefix) => key.startsWith(prefix));

/** Annotations with which kustomize and kpt track files; an object that sets them would be misplaced. */
export const isOrchestratorKey = (key: string): boolean => ORCHESTRATOR_KEYS.test(key);

/**
 * Returns literal labels and annotations of a template that only the renderer may set (kro: validateNoKROOwnedLabels;
 * the rule for `kro.run/` annotations is from kro 0.9.3, so it is a warning unless strict).
 */
export function reservedKeys(template: ValueMap, path: Path, strict: boolean): Problem[] {
  const problems: Problem[] = [];
  for (const where of ['labels', 'annotations'] as const) {
    const map = get(get(template, 'metadata'), where);
    if (!isMap(map)) continue;
    for (const key of Object.keys(map)) {
      const at = [...path, 'metadata', where, key];
      if (where === 'annotations' && isOrchestratorKey(key)) {
        const message = phrase`the annotation '${key}' belongs to kustomize and kpt`;
        problems.push({ code: 'reserved-key', message, path: at });
      } else if (isReservedKey(key)) {
        const message = phrase`${shown(where)} with the prefix '${key.slice(0, key.indexOf('/') + 1)}' are reserved for the renderer`;
        const lenient = where === 'annotations' && key.startsWith(KRO_PREFIXES[0]) && !strict;
        problems.push({ code: 'reserved-key', message, path: at, ...(lenient ? { severity: 'warning' } : {}) });
      }
    }
  }
  return problems;
}
