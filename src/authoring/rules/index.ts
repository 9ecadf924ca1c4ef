/** Filters the diagnostics of `validate` by comments and a render-rgd.yaml. */
import { codes, type Diagnostic } from '../../core/diagnostics/index.ts';
import { GlobBudget, globTest } from '../../languages/glob/index.ts';
import { withoutIgnored } from './ignores.ts';
import type { Accepted, Rule } from './read.ts';
import { isSwitchable } from './switchable.ts';

export { type Accepted, readAccepted, readPolicyPaths, readRules } from './read.ts';

export interface RuleSet {
  rules: readonly Rule[];
  /** Dangers of a plan that were reviewed; default: none. */
  accepted?: readonly Accepted[];
  /** Paths of admission policies; default: none. */
  policies?: readonly string[];
  /** Returns the path of a file relative to the folder of the globs; default: the path itself. */
  relative?: (file: string) => string;
}

/** Applies comments in the files, and then the rules: the last match wins. Errors that fail rendering stay errors. */
export function applyRules<T extends Diagnostic>(
  diagnostics: readonly T[],
  texts: ReadonlyMap<string, string>,
  { rules, relative = (file) => file }: RuleSet,
): (T | Diagnostic)[] {
  const budget = new GlobBudget();
  const tests = rules.map(({ code, severity, paths }) => {
    const globs = paths.map((path) => globTest(path, budget));
    const prefix = code.endsWith('*') ? code.slice(0, -1) : undefined;
    return {
      severity,
      fits: (one: Diagnostic): boolean =>
        (prefix === undefined ? one.code === code : one.code.startsWith(prefix)) &&
        (globs.length === 0 || (one.file !== undefined && globs.some((test) => test(relative(one.file ?? ''))))),
    };
  });
  const ruled = withoutIgnored(diagnostics, texts).flatMap((one) => {
    const rule = tests.findLast(({ fits }) => fits(one));
    if (rule === undefined || (!isSwitchable(one) && rule.severity !== 'error')) return [one];
    return rule.severity === 'off' ? [] : [{ ...one, severity: rule.severity }];
  });
  return budget.isFull ? [...ruled, TOO_COSTLY] : ruled;
}

const TOO_COSTLY: Diagnostic = {
  severity: 'error',
  code: 'settings-file',
  stage: codes['settings-file'].stage,
  message: 'matching paths with the globs of the rules takes too many steps',
  hint: 'use fewer and shorter globs',
};
