import { DIAGNOSTIC_FIELDS, type Diagnostic } from '../../core/diagnostics/index.ts';
import type { KubeObject } from '../../core/model/object.ts';
import { isMap, type Value } from '../../core/model/value.ts';
import { type Comparison, compareVersions } from '../diff/index.ts';
import type { Version } from '../review/index.ts';
import { compareParts } from './partial.ts';

/** What a test expects. Without diagnostics there must be no error, and warnings are ignored. */
export interface Expected {
  /** The rendered objects, in any order; undefined if they are not checked. */
  objects: Version['objects'] | undefined;
  /** Objects with only the relevant fields; others may exist too. */
  partial?: readonly KubeObject[] | undefined;
  /** Every error and warning, in any order, each by some of its fields. */
  diagnostics: readonly ExpectedDiagnostic[] | undefined;
}

/** Fields of a diagnostic as `--diagnostics json` prints it; absent fields match anything. */
export type ExpectedDiagnostic = Readonly<Record<string, string | number>>;

/** The differences from the expectation; none if the test passes. */
export interface Verdict {
  passed: boolean;
  /** The changed objects; undefined if there are none. */
  comparison: Comparison | undefined;
  unexpected: readonly Diagnostic[];
  /** Expected diagnostics that were not reported. */
  missing: readonly ExpectedDiagnostic[];
}

/** Compares the rendering of a package with the expectation. */
export function compareExpected(
  expected: Expected,
  actual: Version['objects'],
  diagnostics: readonly Diagnostic[],
): Verdict {
  const reported = diagnostics.filter(({ severity }) => severity !== 'info');
  const { unexpected, missing } =
    expected.diagnostics === undefined
      ? { unexpected: reported.filter(({ severity }) => severity === 'error'), missing: [] }
      : matched(expected.diagnostics, reported);
  const whole = expected.objects && compareVersions(expected.objects, actual);
  const parts = expected.partial && compareParts(expected.partial, actual);
  const differing = [whole, parts && compareVersions(parts.expected, parts.found)].filter(
    (one) => one !== undefined && one.changes.length > 0,
  );
  const [comparison] = differing;
  const passed = comparison === undefined && unexpected.length === 0 && missing.length === 0;
  return { passed, comparison, unexpected, missing };
}

/** Matches each expectation with the first diagnostic, the most specific ones first. */
function matched(
  expected: readonly ExpectedDiagnostic[],
  reported: readonly Diagnostic[],
): Pick<Verdict, 'unexpected' | 'missing'> {
  const left = [...reported];
  const missing: ExpectedDiagnostic[] = [];
  const byDetail = [...expected].sort((a, b) => Object.keys(b).length - Object.keys(a).length);
  for (const one of byDetail) {
    const at = left.findIndex((diagnostic) =>
      Object.entries(one).every(([field, value]) => diagnostic[field as keyof Diagnostic] === value),
    );
    if (at < 0) missing.push(one);
    else left.splice(at, 1);
  }
  return { unexpected: left, missing };
}

/**
 * Returns the recorded fields of a diagnostic: those that do not depend on the wording of a message, or on its line.
 */
export const expectationOf = ({ severity, code, object, node, field }: Diagnostic): ExpectedDiagnostic => ({
  ...{ severity, code },
  ...(object !== undefined && { object }),
  ...(node !== undefined && { node }),
  ...(field !== undefined && { field }),
});

/** Parses a list of expected diagnostics, or returns its error. */
export function readExpected(value: Value): ExpectedDiagnostic[] | { fault: string } {
  if (!Array.isArray(value)) return { fault: 'it must hold a list of diagnostics' };
  const read: ExpectedDiagnostic[] = [];
  for (const [index, one] of value.entries()) {
    if (!isMap(one)) return { fault: `item ${index} must be a map, such as {code: instance-type}` };
    const unknown = Object.keys(one).find((key) => !DIAGNOSTIC_FIELDS.some((field) => field === key));
    if (unknown !== undefined) {
      return { fault: `item ${index} has the field '${unknown}'; the fields are ${DIAGNOSTIC_FIELDS.join(', ')}` };
    }
    const wrong = Object.values(one).find((entry) => typeof entry !== 'string' && typeof entry !== 'bigint');
    if (wrong !== undefined) return { fault: `item ${index} has a value that is neither a text nor a number` };
    read.push(
      Object.fromEntries(
        Object.entries(one).map(([key, entry]) => [key, typeof entry === 'bigint' ? Number(entry) : (entry as string)]),
      ),
    );
  }
  return read;
}
