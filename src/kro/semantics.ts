import table from '../../data/kro-rules.json';
import { getOrCompute } from '../core/model/lazily.ts';
import { KRO_VERSIONS, type KroVersion, type RenderOptions } from '../core/model/render.ts';

export type RuleName = keyof typeof table.rules;
export type Semantics = Readonly<Record<RuleName, boolean>>;

/**
 * The rules in which releases of kro differ. `state` is `rc` for what the documents of 0.10.0-rc.0 say, and `merged` for
 * what merged code does; `rewrite` has the same result in both releases. `undone` of the file has the rules of the
 * first commit of the engine of 0.10 (pull request 1355 at 7a7f57c2) that later code does not have.
 */
export const RULES = table.rules;
const NAMES = Object.keys(RULES) as RuleName[];

const isSince = (name: RuleName, version: KroVersion): boolean =>
  KRO_VERSIONS.indexOf(RULES[name].since as KroVersion) <= KRO_VERSIONS.indexOf(version);

/** Returns the rules that begin after a release, up to another one. */
export const rulesBetween = (before: KroVersion, after: KroVersion): RuleName[] =>
  NAMES.filter((name) => !isSince(name, before) && isSince(name, after));

const known = new Map<string, Semantics>();

export function semanticsOf({ kro, kroRules = [] }: Pick<RenderOptions, 'kro' | 'kroRules'>): Semantics {
  const compute = (): Semantics =>
    Object.fromEntries(NAMES.map((name) => [name, isSince(name, kro) || kroRules.includes(name)])) as Semantics;
  return getOrCompute(known, [kro, ...kroRules].join(), compute);
}
