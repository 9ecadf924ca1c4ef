import { codes, type Message, type Problem, phrase, type Severity, shownIf } from '../../core/diagnostics/index.ts';
import { isMap, type Path, type Value } from '../../core/model/value.ts';
import { didYouMean } from '../../core/text/nearest.ts';

/** A rule for the diagnostics of a code. */
export interface Rule {
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
  const hint = shownIf(didYouMean(text, known, 1));
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

/** Reads the accepted dangers of a render-rgd.yaml. */
export function readAccepted(value: Value | undefined, report: (problem: Problem) => void): Accepted[] {
  const list = isMap(value) ? (value.accepted ?? []) : [];
  const entries = Array.isArray(list) ? list : [list];
  return entries.flatMap((entry, index) => {
    const { application, object = '', danger, reason } = isMap(entry) ? entry : {};
    const texts = [application, danger, reason].every((text) => typeof text === 'string' && text.trim() !== '');
    const isWhole = isMap(entry) && Object.keys(entry).every((key) => ACCEPTED.includes(key));
    if (isWhole && texts && typeof object === 'string' && isKnown(String(danger))) {
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
    if (!FIELDS.includes(key)) fail(phrase`unknown field '${key}'`, [key], hintFor(key, FIELDS));
  }
  const { rules = [] } = value;
  if (!Array.isArray(rules)) {
    fail(phrase`must be a list of rules`, ['rules']);
    return [];
  }
  return rules.flatMap((rule, index) =>
    readRule(rule, (...[message, path, more]) => fail(message, ['rules', index, ...path], more)),
  );
}

function readRule(rule: Value, fail: (message: Message, path: Path, more?: { hint?: Message }) => void): Rule[] {
  if (!isMap(rule)) {
    fail(phrase`must be a map with code, severity and reason`, []);
    return [];
  }
  let failed = false;
  const refuse: typeof fail = (...words) => {
    failed = true;
    // biome-ignore lint/plugin: a tuple
    fail(...words);
  };
  for (const key of Object.keys(rule)) {
    if (!KEYS.includes(key)) refuse(phrase`unknown field '${key}'`, [key], hintFor(key, KEYS));
  }
  const { code, paths = [], reason } = rule;
  // In YAML 1.1 a plain `off` is false.
  const severity = rule.severity === false ? 'off' : rule.severity;
  if (typeof code !== 'string') refuse(phrase`must name a code`, ['code']);
  else if (!isKnown(code)) refuse(phrase`unknown code '${code}'`, ['code'], hintFor(code, Object.keys(codes)));
  if (!SEVERITIES.includes(severity)) refuse(phrase`must be one of off, info, warning, error`, ['severity']);
  const isList = Array.isArray(paths) && paths.every((path) => typeof path === 'string');
  if (!isList) refuse(phrase`must be a list of globs`, ['paths']);
  if (typeof reason !== 'string' || reason.trim() === '') refuse(phrase`must have a reason`, ['reason']);
  return failed ? [] : [{ code, severity, paths, reason } as Rule];
}

const isKnown = (code: string): boolean =>
  code.endsWith('*') ? Object.keys(codes).some((one) => one.startsWith(code.slice(0, -1))) : Object.hasOwn(codes, code);
