import { lazily } from '../model/lazily.ts';
import type { InputObject } from '../model/object.ts';
import { type Collector, isError, type Problem, type Report } from './diagnostic.ts';
import { redact, redactSecrets } from './redact.ts';
import { toReport } from './report.ts';
import { shownNamespaceOf, shownTitleOf, subjectOf } from './title.ts';

/** Collects the problems of one object: everything is reported, nothing is thrown. */
export interface Reporter {
  report(problem: Problem, node?: string): void;
  failed(): boolean;
}

export function reporterFor(input: InputObject, reports: Collector): Reporter {
  // Most objects have no problem.
  const about = lazily(() => {
    const namespace = shownNamespaceOf(input);
    const subject = subjectOf(input);
    return { object: shownTitleOf(input), ...(subject && { subject }), ...(namespace !== '' && { namespace }) };
  });
  let failed = false;
  return {
    report(problem, node) {
      failed ||= isError(problem);
      const reported = input.secret === undefined ? redactSecrets(problem, input.object) : redact(problem, []);
      reports.add({ ...toReport(reported), ...about(), node, source: input.source });
    },
    failed: () => failed,
  };
}

export function reportAgain(known: readonly Report[], { source }: InputObject, reports: Collector): void {
  for (const report of known) reports.add({ ...report, source });
}
