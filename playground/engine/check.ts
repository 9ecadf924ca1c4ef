import { type Diagnostic, validate } from '../../src/api/index.ts';
import { inputOf, optionsOf } from './package.ts';
import type { Package } from './protocol.ts';

/** Validates a package: errors, warnings and lints. Other infos are those of a rendering. */
export const checkPackage = (pack: Package): readonly Diagnostic[] =>
  validate(inputOf(pack), optionsOf(pack)).diagnostics.filter(
    ({ severity, code }) => severity !== 'info' || code.startsWith('lint-'),
  );
