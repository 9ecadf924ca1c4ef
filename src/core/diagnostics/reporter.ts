import { type InputObject, type KubeObject, namespaceOf, titleOf } from '../model/object.ts';
import type { Collector } from './collector.ts';
import type { Problem, Report } from './diagnostic.ts';
import { HIDDEN, publicText, type Text } from './message.ts';
import { redact, redactSecrets } from './redact.ts';
import { toReport } from './to-report.ts';

/** Collects the problems of one object: everything is reported, nothing is thrown. */
export interface Reporter {
  report(problem: Problem, node?: string): void;
  /** Whether an error was reported so far. */
  failed(): boolean;
}

export function reporterFor(input: InputObject, reports: Collector): Reporter {
  const object = shownTitleOf(input);
  let failed = false;
  return {
    report(problem, node) {
      if ((problem.severity ?? 'error') === 'error') failed = true;
      const reported = input.secret === undefined ? redactSecrets(problem, input.object) : redact(problem, []);
      const report: Report = { ...toReport(reported), object };
      if (node !== undefined) report.node = node;
      if (input.source !== undefined) report.source = input.source;
      reports.add(report);
    },
    failed: () => failed,
  };
}

/** Repeats the reports of an object at its current location. */
export function reportAgain(known: readonly Report[], { source }: InputObject, reports: Collector): void {
  for (const { source: _, ...report } of known) reports.add(source === undefined ? report : { ...report, source });
}

/** Returns the title of an object whose name may be a value of a Secret. */
export const shownTitleOf = ({ object, secret }: InputObject): Text => titleText(object, secret === 'name');

/** Returns the title of an object; only its kind if its name may be a value of a Secret. */
export const titleText = (object: KubeObject, hasSecretName: boolean): Text =>
  publicText`${hasSecretName ? `${object.kind}/${HIDDEN}` : titleOf(object)}`;

/** Returns its namespace; '' if it may be a value of a Secret. */
export const shownNamespaceOf = ({ object, secret }: InputObject): Text =>
  secret === 'name' ? publicText`` : publicText`${namespaceOf(object)}`;
