import { composeText, type Report, type Text, trusted } from '../../core/diagnostics/index.ts';
import type { Entry, UnseenReason } from '../../core/ledger/index.ts';
import { UNSEEN } from './verdict.ts';

const RENAME = composeText`rename it to end in .yaml, .yml or .json; --exclude leaves it out without this warning`;

/** What helps against an unread file. */
const REMEDIES: Readonly<Partial<Record<UnseenReason, Text>>> = {
  hidden: composeText`move it out of the hidden folder, or name it: a path that is given is read; --exclude leaves it out without this warning`,
  'other-name': RENAME,
  template: composeText`render it first, and pipe the result into render-rgd; --exclude leaves it out without this warning`,
  encrypted: composeText`decrypt it first, or encrypt only the values under data and stringData; --exclude leaves it out without this warning`,
  'not-checked-out': composeText`check it out: git submodule update --init, git lfs pull, or git sparse-checkout disable`,
};

const ALL = composeText`files that seem to have Kubernetes objects are not read`;
const ALL_HINT = composeText`rename or move them, or render or decrypt them first; --exclude leaves them out without this warning`;

/**
 * Reports the files that nobody read although they seem to have Kubernetes objects: warnings, and errors if nothing may
 * stay unseen.
 */
export function unreadReports(entries: readonly Entry[], isStrict: boolean): Report[] {
  return entries.flatMap(({ file, document = 0, outcome }): Report[] => {
    if (outcome.is !== 'unseen' || file === undefined) return [];
    const why = trusted.definition(UNSEEN[outcome.why]);
    const hint = REMEDIES[outcome.why] ?? RENAME;
    const subject = composeText`${trusted.file(file)} (${why})`;
    return [
      {
        code: 'skipped-file',
        message: composeText`the file seems to have Kubernetes objects, and is not read: ${why}`,
        path: [],
        severity: isStrict ? 'error' : 'warning',
        source: { file, text: '', document, path: [] },
        hint,
        listed: { subject, message: ALL, hint: ALL_HINT, item: file },
      },
    ];
  });
}
