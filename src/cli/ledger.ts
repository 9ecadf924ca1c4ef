import type { Report } from '../core/diagnostics/index.ts';
import { type Evidence, faultsInSums, type Judgement, ledgerValue, traceOf } from '../core/ledger/index.ts';
import { visible, visibleOnOneLine } from '../core/text/visible.ts';
import { flag, text } from '../render/options/index.ts';
import { toJsonText } from '../yaml/emit/index.ts';
import type { Io } from './output.ts';
import { writeText } from './write/index.ts';

/** The options of commands that account for everything that they were given. */
export const ledgerOptions = {
  ledger: text('FILE', 'Write what became of each file and object to this file, as JSON; schema ledger describes it.'),
  trace: flag('Print what became of each file and object to standard error, and check the sums.'),
};

interface Accounting {
  account?: (evidence: Evidence) => void;
  io: Pick<Io, 'stderr'>;
  settings: { ledger: string; trace: boolean };
}

/**
 * Writes and prints the ledger of a command if it is asked to, and returns what cannot be written. Throws if a unit was
 * counted twice or is missing: that is a bug.
 */
export function accountFor(evidence: Evidence, judgement: Judgement, { account, io, settings }: Accounting): Report[] {
  account?.(evidence);
  if (settings.ledger === '' && !settings.trace) return [];
  const faults = faultsInSums(evidence);
  if (faults.length > 0) throw new Error(`the sums of the ledger are wrong: ${faults.join('; ')}`);
  if (settings.trace)
    io.stderr(
      traceOf(evidence)
        .map((line) => `${visibleOnOneLine(line)}\n`)
        .join(''),
    );
  if (settings.ledger === '') return [];
  return writeText(settings.ledger, visible(`${toJsonText(ledgerValue(evidence, judgement), 2)}\n`));
}
