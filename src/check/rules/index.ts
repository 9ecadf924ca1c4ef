/** Filters the diagnostics of `validate` by comments, a baseline and a render-rgd.yaml. */

import {
  type Code,
  codes,
  type Diagnostic,
  type Message,
  type Problem,
  phrase,
  type Severity,
  shownHint,
} from '../../core/diagnostics/index.ts';
import { lazily } from '../../core/model/lazily.ts';
import { isMap, type Path, type Value, type ValueMap } from '../../core/model/value.ts';
import { didYouMean, nearestHint } from '../../core/text/nearest.ts';
import { GlobBudget, globTest } from '../../languages/glob/index.ts';
import { type BaselineEntry, isBaselineEntry } from './baseline.ts';
import { isKnownCode } from './codes.ts';

export { applyBaseline, type BaselineEntry, baselineOf, baselineText, readBaseline, withAccepted } from './baseline.ts';

/** Reports whether a diagnostic may be ignored or lowered: all except errors that fail rendering. */
const isSwitchable = ({ severity, code }: Diagnostic): boolean => severity !== 'error' || code.startsWith('rendered-');

/** A comment `# render-rgd: ignore CODE reason`. */
interface Ignore {
  /** The line and the columns of the comment, from 1. */
  line: number;
  column: number;
  endColumn: number;
  /** The line that it applies to: its own, or the next one if it is alone. */
  target: number;
  code: string;
  reason: string;
}

const COMMENT = /(?:^|\s)(#\s*render-rgd:\s*ignore(?![\w-])\s*(\S*)(.*))/s;

function ignoresIn(text: string): Ignore[] {
  if (!text.includes('render-rgd:')) return [];
  const lines = text.split(/\r\n|\r|\n/);
  const next = lazily(() => nextLines(lines));
  return lines.flatMap((written, index) => {
    const match = COMMENT.exec(written);
    if (match === null) return [];
    const [, whole = '', code = '', reason = ''] = match;
    const comment = whole.trimEnd();
    const start = written.lastIndexOf(comment);
    return {
      line: index + 1,
      column: start + 1,
      endColumn: start + comment.length + 1,
      target: written.slice(0, start).trim() === '' ? (next()[index + 1] ?? lines.length) + 1 : index + 1,
      code,
      reason: reason.trim(),
    };
  });
}

/** Returns the index of the next line that is not such a comment, for each line. */
function nextLines(lines: readonly string[]): readonly number[] {
  const next: number[] = [];
  next[lines.length] = lines.length;
  for (let index = lines.length - 1; index >= 0; index -= 1) {
    const line = lines[index] ?? '';
    const isComment = /^\s*#/.test(line) && COMMENT.test(line);
    next[index] = isComment ? (next[index + 1] ?? lines.length) : index;
  }
  return next;
}

/** Removes what a comment in its file ignores. A wrong comment, and one that ignores nothing, become diagnostics. */
function withoutIgnored<T extends Diagnostic>(
  diagnostics: readonly T[],
  texts: ReadonlyMap<string, string>,
): (T | Diagnostic)[] {
  const ignores = [...texts].flatMap(([file, text]) => ignoresIn(text).map((ignore) => ({ ...ignore, file })));
  if (ignores.length === 0) return [...diagnostics];
  const left = new Set<Diagnostic>(diagnostics);
  // After an error, lints and rendering are skipped: it is unknown what they would report.
  const isUnfinished = diagnostics.some((one) => one.severity === 'error' && !isSwitchable(one));
  const reported = ignores.flatMap((ignore): Diagnostic[] => {
    const fault = faultIn(ignore);
    if (fault !== undefined) return [diagnosticOf(ignore, 'ignore-comment', 'error', fault)];
    const intended = diagnostics.filter(
      ({ code, file, line }) => code === ignore.code && file === ignore.file && line === ignore.target,
    );
    const ignored = intended.filter(isSwitchable);
    for (const one of ignored) left.delete(one);
    if (ignored.length > 0 || (intended.length === 0 && isUnfinished)) return [];
    const message =
      intended.length > 0
        ? `${ignore.code} cannot be ignored: rendering fails`
        : `there is no ${ignore.code} to ignore`;
    const where = ignore.target === ignore.line ? 'on this line' : `on line ${ignore.target}`;
    const hint = intended.length > 0 ? 'fix it' : `nothing reports it ${where}: remove the comment`;
    return [diagnosticOf(ignore, 'ignore-unused', 'warning', { message, hint })];
  });
  return [...diagnostics.filter((one) => left.has(one)), ...reported];
}

interface Words {
  message: string;
  hint: string;
}

function faultIn({ code, reason }: Ignore): Words | undefined {
  const example = '# render-rgd: ignore lint-unread-field the portal reads it';
  if (code === '') return { message: 'the comment names no code and no reason', hint: `write ${example}` };
  if (!Object.hasOwn(codes, code)) {
    return { message: `unknown code '${code}'`, hint: didYouMean(code, Object.keys(codes)) ?? `write ${example}` };
  }
  return reason === '' ? { message: 'the comment gives no reason', hint: `write ${example}` } : undefined;
}

const diagnosticOf = (
  { line, column, endColumn, file }: Ignore & { file: string },
  code: Code,
  severity: Diagnostic['severity'],
  { message, hint }: Words,
): Diagnostic => ({ severity, code, stage: codes[code].stage, file, line, column, endColumn, message, hint });

interface Rule {
  /** A code, or a prefix of codes followed by `*`: `lint-*`. */
  readonly code: string;
  readonly severity: Severity | 'off';
  /** Globs of files; none for every file. */
  readonly paths: readonly string[];
  readonly reason: string;
}

const SEVERITIES: readonly unknown[] = ['off', 'info', 'warning', 'error'];
/** `plan` reads the applications. */
const FIELDS = ['rules', 'applications', 'accepted', 'policies'];
const KEYS = ['code', 'severity', 'paths', 'reason'];
const hintFor = (text: string, known: readonly string[]): { hint?: Message } => {
  const hint = shownHint(nearestHint(text, known, 1));
  return hint === undefined ? {} : { hint };
};

/** A danger of a plan that was reviewed. */
export interface Accepted {
  /** The name of the application, or its kind and name. */
  readonly application: string;
  /** `Kind namespace/name`; '' for a danger of the application itself. */
  readonly object: string;
  readonly danger: string;
  readonly reason: string;
}

export function readAccepted(value: Value | undefined, report: (problem: Problem) => void): Accepted[] {
  const list = isMap(value) ? (value.accepted ?? []) : [];
  const entries = Array.isArray(list) ? list : [list];
  return entries.flatMap((entry, index) => {
    if (isBaselineEntry(entry)) return [];
    const { application, object = '', danger, reason } = isMap(entry) ? entry : {};
    const texts = [application, danger, reason].every((text) => typeof text === 'string' && text.trim() !== '');
    const isWhole = isMap(entry) && Object.keys(entry).every((key) => ACCEPTED.includes(key));
    if (isWhole && texts && typeof object === 'string' && isKnownCode(String(danger))) {
      return [{ application, object, danger, reason } as Accepted];
    }
    const message = phrase`must be a map with application, object, danger (a known code) and reason`;
    report({ code: 'settings-file', message, path: ['accepted', index] });
    return [];
  });
}

/** Reads the paths of admission policies in a render-rgd.yaml, relative to its folder. */
export function readPolicyPaths(value: Value | undefined, report: (problem: Problem) => void): readonly string[] {
  const paths = isMap(value) ? (value.policies ?? []) : [];
  if (Array.isArray(paths) && paths.every((path) => typeof path === 'string' && path !== '')) return paths as string[];
  report({ code: 'settings-file', message: phrase`must be a list of paths`, path: ['policies'] });
  return [];
}

const ACCEPTED = ['application', 'object', 'danger', 'reason'];

/** Reads the value of a render-rgd.yaml. Errors are reported, and an empty file has no rules. */
export function readRules(value: Value | undefined, report: (problem: Problem) => void): Rule[] {
  const fail = (message: Message, path: Path, more: { hint?: Message } = {}): void =>
    report({ code: 'settings-file', message, path, ...more });
  if (value === undefined || value === null) return [];
  if (!isMap(value)) {
    fail(phrase`must be a map with rules`, []);
    return [];
  }
  for (const key of Object.keys(value)) {
    if (!FIELDS.includes(key)) fail(phrase`unknown field '${{ key }}'`, [key], hintFor(key, FIELDS));
  }
  const { rules = [] } = value;
  if (!Array.isArray(rules)) {
    fail(phrase`must be a list of rules`, ['rules']);
    return [];
  }
  return rules.flatMap((rule, index) => {
    const faults = [...faultsInRule(rule)];
    for (const [message, path, more] of faults) fail(message, ['rules', index, ...path], more);
    if (faults.length > 0) return [];
    const { code, severity, paths = [], reason } = rule as ValueMap;
    return [{ code, severity: severity === false ? 'off' : severity, paths, reason } as unknown as Rule];
  });
}

function* faultsInRule(rule: Value): Iterable<[Message, Path, { hint?: Message }?]> {
  if (!isMap(rule)) {
    yield [phrase`must be a map with code, severity and reason`, []];
    return;
  }
  for (const key of Object.keys(rule)) {
    if (!KEYS.includes(key)) yield [phrase`unknown field '${{ key }}'`, [key], hintFor(key, KEYS)];
  }
  const { code, severity, paths = [], reason } = rule;
  if (typeof code !== 'string') yield [phrase`must name a code`, ['code']];
  else if (!isKnownCode(code))
    yield [phrase`unknown code '${{ name: code }}'`, ['code'], hintFor(code, Object.keys(codes))];
  // In YAML 1.1 a plain `off` is false.
  if (severity !== false && !SEVERITIES.includes(severity))
    yield [phrase`must be one of off, info, warning, error`, ['severity']];
  const isList = Array.isArray(paths) && paths.every((path) => typeof path === 'string');
  if (!isList) yield [phrase`must be a list of globs`, ['paths']];
  if (typeof reason !== 'string' || reason.trim() === '') yield [phrase`must have a reason`, ['reason']];
}

export interface RuleSet {
  rules: readonly Rule[];
  /** Dangers of a plan that were reviewed; default: none. */
  accepted?: readonly Accepted[];
  /** Accepted diagnostics; default: none. */
  baseline?: readonly BaselineEntry[];
  /** Paths of admission policies; default: none. */
  policies?: readonly string[];
  /** Returns the path of a file relative to the folder of the globs; default: the path itself. */
  relative?: (file: string) => string;
}

/** Applies comments in the files, and then the rules: the last match wins. Errors that fail rendering stay errors. */
export function applyRules<T extends Diagnostic>(
  diagnostics: readonly T[],
  texts: ReadonlyMap<string, string>,
  { rules, relative = (file) => file }: RuleSet,
): (T | Diagnostic)[] {
  const budget = new GlobBudget();
  const tests = rules.map(({ code, severity, paths }) => {
    const globs = paths.map((path) => globTest(path, budget));
    const prefix = code.endsWith('*') ? code.slice(0, -1) : undefined;
    return {
      severity,
      fits: (one: Diagnostic): boolean =>
        (prefix === undefined ? one.code === code : one.code.startsWith(prefix)) &&
        (globs.length === 0 || (one.file !== undefined && globs.some((test) => test(relative(one.file ?? ''))))),
    };
  });
  const ruled = withoutIgnored(diagnostics, texts).flatMap((one) => {
    const rule = tests.findLast(({ fits }) => fits(one));
    if (rule === undefined || (!isSwitchable(one) && rule.severity !== 'error')) return [one];
    return rule.severity === 'off' ? [] : [{ ...one, severity: rule.severity }];
  });
  return budget.isFull ? [...ruled, TOO_COSTLY] : ruled;
}

const TOO_COSTLY: Diagnostic = {
  severity: 'error',
  code: 'settings-file',
  stage: codes['settings-file'].stage,
  message: 'matching paths with the globs of the rules takes too many steps',
  hint: 'use fewer and shorter globs',
};
