import type { Path } from '../../core/model/value.ts';

/** A change that is accepted although it breaks instances. */
export interface CompatException {
  /** The name of the change, such as `property-removed`; `*` for any. */
  rule: string;
  /** The field and all below it; '' for any. */
  path: string;
  reason: string;
}

/** Parses `RULE=REASON` or `RULE:PATH=REASON`; returns undefined for any other text. */
export function parseException(text: string): CompatException | undefined {
  const [, rule, path = '', reason] = /^([a-z-]+|\*)(?::([^=]+))?=(.*\S.*)$/s.exec(text) ?? [];
  return rule === undefined || reason === undefined ? undefined : { rule, path, reason: reason.trim() };
}

/** Returns why a change is accepted; undefined if it is not. */
export function reasonFor(rule: string, path: Path, exceptions: readonly CompatException[]): string | undefined {
  const at = path.join('.');
  return exceptions.find(
    (one) =>
      (one.rule === '*' || one.rule === rule) && (one.path === '' || at === one.path || at.startsWith(`${one.path}.`)),
  )?.reason;
}
