import { trusted } from '../../core/diagnostics/index.ts';
import { groupBy } from '../../core/model/group-by.ts';
import type { Application } from './application.ts';
import type { Comparison, Pair, Sides } from './compare.ts';
import { type Declaration, declarationKey } from './discover/index.ts';
import { readPath } from './files.ts';
import type { DeclarationPair, Problem } from './outcome.ts';
import { Outcomes } from './outcomes.ts';
import { pairGroup } from './pairs.ts';
import type { Side } from './side.ts';

interface Lineup {
  pairs: readonly Pair[];
  problems: readonly Problem[];
}

/**
 * Pairs the applications of two versions as the controllers have them in the cluster. What declares an application is an
 * object that others apply: if they fail, it keeps its old spec, and if they no longer have it, its fate decides.
 * `compare` compares a pair once.
 */
export function lineUp({ before, after, changed }: Sides, compare: (pair: Pair) => Comparison): Lineup {
  const declarations = pairDeclarations(before.declarations, after.declarations);
  const outcomes = new Outcomes({ declarations, before, after, changed, compare });
  const pairs = declarations.flatMap((pair) => {
    outcomes.outcomeOf(pair);
    return outcomes.linesOf(pair);
  });
  const problems = declarations.flatMap((pair) => problemsOf(pair, outcomes));
  return { pairs, problems };
}

function problemsOf(pair: DeclarationPair, outcomes: Outcomes): Problem[] {
  const found: Problem[] = [];
  const outcome = outcomes.outcomeOf(pair);
  if ('problem' in outcome && outcome.problem !== undefined) found.push(outcome.problem);
  for (const { rejected } of outcomes.linesOf(pair)) {
    const problem = rejected && problemOf(rejected);
    if (problem !== undefined) found.push(problem);
  }
  return found;
}

/** Returns why the controller rejects a generated Application. */
function problemOf(application: Application): Problem | undefined {
  const fault = application.sources.find((source) => source.type === 'fails');
  return fault && { application, message: trusted.error(fault.reason) };
}

/** Pairs declarations of one kind, namespace and name by their place; one that is unique in both versions may move. */
function pairDeclarations(before: readonly Declaration[], after: readonly Declaration[]): DeclarationPair[] {
  const old = groupBy(before, declarationKey);
  const newer = groupBy(after, declarationKey);
  const keys = [...new Set([...old.keys(), ...newer.keys()])].sort();
  return keys.flatMap((key) => pairGroup(old.get(key) ?? [], newer.get(key) ?? []));
}

/** The applications that no object declares; without folders that something deploys in the other version. */
export function undeclared(side: Side, other: Side): Application[] {
  const declared = new Set(side.declarations.flatMap(({ applications }) => applications));
  return side.applications.filter((one) => {
    if (declared.has(one)) return false;
    if (one.kind !== 'folder') return true;
    const files = readPath(side.context.repository.tree, one.path, side.context.settings);
    return !files.some(({ file }) => other.isDeployed(file));
  });
}
