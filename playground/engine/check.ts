import { verdictOf } from '../../src/check/reports/index.ts';
import { validatePackage } from '../../src/check/validate/index.ts';
import { withoutConsequences } from '../../src/core/diagnostics/index.ts';
import { entriesOf, tallyOf } from '../../src/core/ledger/index.ts';
import { withoutEarlier } from '../../src/render/rerender/index.ts';
import { toDiagnostics } from '../../src/yaml/locate/index.ts';
import { readPackage } from './package.ts';
import type { Checked, Package } from './protocol.ts';

/**
 * Validates a package: errors, warnings and lints. Other infos are those of a rendering. The library's `validate` would
 * bring its modules into the first load of the page.
 */
export function checkPackage(pack: Package): Checked {
  const { input, options, reports } = readPackage(pack);
  const { reports: found, evidence } = validatePackage(withoutEarlier(input), options);
  const diagnostics = toDiagnostics(withoutConsequences([...reports, ...found])).filter(
    ({ severity, code }) => severity !== 'info' || code.startsWith('lint-'),
  );
  const isWhole = tallyOf(entriesOf(evidence)).unseen === 0 && evidence.opaque === 0 && evidence.pending === 0;
  return { diagnostics, unchecked: isWhole ? '' : verdictOf(evidence, undefined) };
}
