import type { Diagnostic } from '../../src/api/index.ts';
import { readRenderInput } from '../../src/api/package.ts';
import { validatePackage } from '../../src/check/validate/index.ts';
import { withoutConsequences } from '../../src/core/diagnostics/index.ts';
import { withoutEarlier } from '../../src/render/rerender/index.ts';
import { toDiagnostics } from '../../src/yaml/locate/index.ts';
import { inputOf, optionsOf } from './package.ts';
import type { Package } from './protocol.ts';

/**
 * Validates a package: errors, warnings and lints. Other infos are those of a rendering. The library's `validate` would
 * bring its modules into the first load of the page.
 */
export function checkPackage(pack: Package): readonly Diagnostic[] {
  const { input, options, reports } = readRenderInput(inputOf(pack), optionsOf(pack));
  const { reports: found } = validatePackage(withoutEarlier(input), options);
  return toDiagnostics(withoutConsequences([...reports, ...found])).filter(
    ({ severity, code }) => severity !== 'info' || code.startsWith('lint-'),
  );
}
