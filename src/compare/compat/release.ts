/** What a release of Kubernetes does to each RGD, as a part of its verdict. */
import { composeText, isError, type Report } from '../../core/diagnostics/index.ts';
import { placeOfSource } from '../../core/model/object.ts';
import type { Level } from './effects.ts';
import { decisiveRank, type GateChange, rankOf, type Verdict } from './verdict.ts';

/**
 * Returns the verdicts together with what a release does not serve, which is major, or has deprecated, which is a patch.
 * The highest level comes first.
 */
export function withReleaseFindings(verdicts: readonly Verdict[], findings: readonly Report[]): readonly Verdict[] {
  if (findings.length === 0) return verdicts;
  const all = verdicts.map((verdict) => {
    const place = placeOfSource(verdict.after?.source);
    const own = place === '' ? [] : findings.filter(({ source }) => placeOfSource(source) === place);
    return own.length === 0 ? verdict : withChanges(verdict, own.map(changeOf));
  });
  return all.toSorted((a, b) => rankOf(b.level) - rankOf(a.level));
}

function changeOf(report: Report): GateChange {
  const level: Level = isError(report) ? 'major' : 'patch';
  return {
    change: report.code,
    level,
    what: report.message,
    before: undefined,
    after: { source: report.source, path: report.path },
    advice: report.hint ?? composeText`use what the release serves`,
  };
}

function withChanges(verdict: Verdict, added: readonly GateChange[]): Verdict {
  const changes = [...verdict.changes, ...added].toSorted((a, b) => decisiveRank(b) - decisiveRank(a));
  return { ...verdict, changes, level: changes[0]?.level ?? verdict.level };
}
