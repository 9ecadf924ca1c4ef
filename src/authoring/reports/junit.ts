import type { Diagnostic } from '../../core/diagnostics/index.ts';
import { clipped } from '../../core/text/clip.ts';
import { formatDiagnostics } from '../../yaml/locate/index.ts';
import type { ReportInput } from './input.ts';
import { xmlAttributes, xmlText } from './xml.ts';

/**
 * Returns JUnit XML: a test suite for each file, and a test case for each object in it, which fails with its errors.
 * Diagnostics without an object, or without a file, have a separate case. Only errors fail a case; warnings are its
 * output.
 */
export function junitReport({ command, diagnostics, files }: ReportInput): string {
  const suites = suitesOf(diagnostics, files);
  const all = suites.flatMap(({ cases }) => cases);
  const attributes = {
    name: `render-rgd ${command}`,
    tests: all.length,
    failures: all.filter(isFailed).length,
    errors: 0,
  };
  const body = suites.map(suiteText).join('');
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${xmlAttributes(attributes)}>\n${body}</testsuites>\n`;
}

interface Case {
  name: string;
  diagnostics: Diagnostic[];
}

interface Suite {
  file: string;
  cases: Case[];
}

function suitesOf(diagnostics: readonly Diagnostic[], files: ReportInput['files']): Suite[] {
  const suites = new Map<string, Map<string, Case>>();
  const caseOf = (file: string, name: string): Case => {
    const cases = suites.get(file) ?? new Map<string, Case>();
    suites.set(file, cases);
    const found = cases.get(name) ?? { name, diagnostics: [] };
    cases.set(name, found);
    return found;
  };
  for (const { file, objects } of files) {
    for (const object of objects.length === 0 ? [file] : objects) caseOf(file, object);
  }
  for (const one of diagnostics) {
    const file = one.file ?? 'input';
    caseOf(file, one.object ?? file).diagnostics.push(one);
  }
  return [...suites].map(([file, cases]) => ({ file, cases: [...cases.values()] }));
}

const isFailed = ({ diagnostics }: Case): boolean => diagnostics.some(({ severity }) => severity === 'error');

function suiteText({ file, cases }: Suite): string {
  const attributes = {
    name: file,
    tests: cases.length,
    failures: cases.filter(isFailed).length,
    errors: 0,
    skipped: 0,
  };
  return `  <testsuite${xmlAttributes(attributes)}>\n${cases.map((one) => caseText(file, one)).join('')}  </testsuite>\n`;
}

/** Returns one case with one failure, because many readers support only one. */
function caseText(file: string, { name, diagnostics }: Case): string {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const others = diagnostics.filter(({ severity }) => severity !== 'error');
  const [first] = errors;
  const opening = `    <testcase${xmlAttributes({ classname: file, name, file, line: first?.line })}`;
  if (diagnostics.length === 0) return `${opening}/>\n`;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  const failure =
    first === undefined
      ? ''
      : `      <failure${xmlAttributes({ type: first.code, message: `${onOneLine(first.message)}${more}` })}>${xmlText(formatDiagnostics(errors))}</failure>\n`;
  const output = others.length === 0 ? '' : `      <system-out>${xmlText(formatDiagnostics(others))}</system-out>\n`;
  return `${opening}>\n${failure}${output}    </testcase>\n`;
}

const LONGEST_TITLE = 300;

/** Readers show the attribute as a title; the text contains the whole message. */
const onOneLine = (message: string): string => clipped(message.replace(/\s*[\r\n]+\s*/g, ' '), LONGEST_TITLE);
