import { DIAGNOSTIC_FIELDS, type Diagnostic } from '../../core/diagnostics/index.ts';
import type { KubeObject } from '../../core/model/object.ts';
import { isMap, type Value } from '../../core/model/value.ts';
import { type Comparison, compareVersions, reviewAlone, type Version } from '../diff/index.ts';
import { compareParts } from './partial.ts';

/** What a test expects. Without diagnostics there must be no error, and warnings are of no concern. */
export interface Expected {
  /** The rendered objects, in any order; undefined when nothing is said of them. */
  objects: Version['objects'] | undefined;
  /** Objects of which only the fields that matter are named; any others may be there too. */
  partial?: readonly KubeObject[] | undefined;
  /** Every error and warning, in any order, each by some of its fields. */
  diagnostics: readonly ExpectedDiagnostic[] | undefined;
}

/** Fields of a diagnostic as `--diagnostics json` prints it; those that are not there may be anything. */
export type ExpectedDiagnostic = Readonly<Record<string, string | number>>;

/** What is not as it is expected; nothing is when the test passes. */
export interface Verdict {
  passed: boolean;
  /** The objects that differ; undefined when they do not. */
  comparison: Comparison | undefined;
  /** Diagnostics that nobody expects. */
  unexpected: readonly Diagnostic[];
  /** Diagnostics that were expected, and are not there. */
  missing: readonly ExpectedDiagnostic[];
}

/** Compares what a package renders to with what is expected of it. */
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
  const parts = expected.partial && compareParts(expected.partial, actual, reviewAlone);
  const differing = [whole, parts && compareVersions(parts.expected, parts.found)].filter(
    (one) => one !== undefined && one.changes.length > 0,
  );
  const [comparison] = differing;
  const differs = comparison !== undefined;
  return {
    passed: !differs && unexpected.length === 0 && missing.length === 0,
    comparison: differs ? comparison : undefined,
    unexpected,
    missing,
  };
}

/** Each expectation takes the first diagnostic that it fits; those that say most choose first. */
function matched(
  expected: readonly ExpectedDiagnostic[],
  reported: readonly Diagnostic[],
): Pick<Verdict, 'unexpected' | 'missing'> {
  const left = [...reported];
  const missing: ExpectedDiagnostic[] = [];
  const byDetail = [...expected].sort((a, b) => Object.keys(b).length - Object.keys(a).length);
  for (const one of byDetail) {
    const at = left.findIndex((diagnostic) => fits(one, diagnostic));
    if (at < 0) missing.push(one);
    else left.splice(at, 1);
  }
  return { unexpected: left, missing };
}

const fits = (expected: ExpectedDiagnostic, diagnostic: Diagnostic): boolean =>
  Object.entries(expected).every(([field, value]) => diagnostic[field as keyof Diagnostic] === value);

/** What is written down of a diagnostic: what stays when a message is put in other words, or a line moves. */
export const expectationOf = ({ severity, code, object, node, field }: Diagnostic): ExpectedDiagnostic =>
  Object.fromEntries(
    Object.entries({ severity, code, object, node, field }).flatMap(([key, value]) =>
      value === undefined ? [] : [[key, value]],
    ),
  );

/** Reads a list of expected diagnostics, or says what is wrong with it. */
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
