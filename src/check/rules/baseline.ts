import { type Diagnostic, type Problem, phrase } from '../../core/diagnostics/index.ts';
import type { Entry } from '../../core/ledger/index.ts';
import { isMap, type Value } from '../../core/model/value.ts';
import { isKnownCode } from './codes.ts';

/** A diagnostic that is accepted, with the reason: it does not count any more. */
export interface BaselineEntry {
  readonly code: string;
  /** The path of the file, relative to the folder of the baseline; '' for a diagnostic without a file. */
  readonly path: string;
  /** `Kind/name`, or `Kind/namespace/name`; '' for a diagnostic about no object. */
  readonly object: string;
  /** The field in the object; without it every field is accepted. */
  readonly field?: string;
  readonly reason: string;
}

/** The keys of an entry, in the order in which they are written. */
const KEYS = ['code', 'path', 'object', 'field', 'reason'] as const;

/** Reports whether an entry of `accepted` is one of a baseline: the others are dangers of a plan. */
export const isBaselineEntry = (entry: Value): boolean => isMap(entry) && Object.hasOwn(entry, 'code');

/** Reads the baseline of a render-rgd.yaml, or of the file of --accept. */
export function readBaseline(value: Value | undefined, report: (problem: Problem) => void): BaselineEntry[] {
  const list = isMap(value) ? (value.accepted ?? []) : [];
  return (Array.isArray(list) ? list : []).flatMap((entry, index): BaselineEntry[] => {
    if (!isMap(entry) || !isBaselineEntry(entry)) return [];
    const { code, path = '', object = '', field, reason } = entry;
    const texts = [path, object, field ?? ''].every((one) => typeof one === 'string');
    const isWhole = Object.keys(entry).every((key) => KEYS.some((one) => one === key));
    const hasReason = typeof reason === 'string' && reason.trim() !== '';
    if (texts && isWhole && hasReason && typeof code === 'string' && isKnownCode(code)) {
      return [{ code, path, object, reason, ...(field !== undefined && { field }) } as BaselineEntry];
    }
    const message = phrase`must be a map with code (a known code), path, object, field and a reason`;
    report({ code: 'settings-file', message, path: ['accepted', index] });
    return [];
  });
}

/** What is left of diagnostics beside a baseline. */
export interface Settled<T extends Diagnostic> {
  left: readonly T[];
  accepted: readonly T[];
  /** The entries that match nothing. */
  unused: readonly BaselineEntry[];
}

type PathOf = (file: string) => string;

/** Returns the diagnostics that a baseline does not accept. Infos do not count, and stay. */
export function applyBaseline<T extends Diagnostic>(
  diagnostics: readonly T[],
  entries: readonly BaselineEntry[],
  pathOf: PathOf,
): Settled<T> {
  const used = new Set<BaselineEntry>();
  const left: T[] = [];
  const accepted: T[] = [];
  for (const one of diagnostics) {
    const fitting = one.severity === 'info' ? [] : entries.filter((entry) => accepts(entry, one, pathOf));
    for (const entry of fitting) used.add(entry);
    (fitting.length > 0 ? accepted : left).push(one);
  }
  return { left, accepted, unused: entries.filter((entry) => !used.has(entry)) };
}

function accepts({ code, path, object, field }: BaselineEntry, one: Diagnostic, pathOf: PathOf): boolean {
  const isSame = one.code === code && path === pathIn(one, pathOf) && object === titleIn(one);
  return isSame && (field === undefined || field === (one.field ?? ''));
}

const pathIn = ({ instance, file }: Diagnostic, pathOf: PathOf): string => {
  const at = instance?.file ?? file;
  return at === undefined ? '' : pathOf(at);
};

function titleIn({ object = '', namespace }: Diagnostic): string {
  const at = object.indexOf('/');
  return namespace === undefined || at < 0 ? object : `${object.slice(0, at)}/${namespace}${object.slice(at)}`;
}

/** Returns the entries of a baseline that accepts all errors and warnings, each once. */
export function baselineOf(diagnostics: readonly Diagnostic[], pathOf: PathOf, reason: string): BaselineEntry[] {
  const entries = diagnostics
    .filter(({ severity }) => severity !== 'info')
    .map((one) => ({
      code: one.code,
      path: pathIn(one, pathOf),
      object: titleIn(one),
      ...(one.field !== undefined && { field: one.field }),
      reason,
    }));
  const byKey = new Map(entries.map((entry) => [JSON.stringify(Object.values(entry)), entry]));
  return [...byKey.values()];
}

/** Writes a baseline as a file of --accept. JSON texts are valid YAML. */
export function baselineText(entries: readonly BaselineEntry[]): string {
  if (entries.length === 0) return 'accepted: []\n';
  const lines = entries.map((entry) => {
    const keys = KEYS.filter((key) => entry[key] !== undefined && entry[key] !== '');
    return `  - ${keys.map((key) => `${key}: ${JSON.stringify(entry[key])}\n`).join('    ')}`;
  });
  return `accepted:\n${lines.join('')}`;
}

/** Returns entries of which those are accepted that an accepted diagnostic is about. */
export function withAccepted(entries: readonly Entry[], accepted: readonly Diagnostic[]): Entry[] {
  const keys = new Set(accepted.map(({ file, object }) => JSON.stringify([file, object])));
  const files = new Set(accepted.flatMap(({ file, object }) => (object === undefined ? (file ?? []) : [])));
  return entries.map((entry): Entry => {
    const { file, title, unit, outcome } = entry;
    if (outcome.is !== 'unseen' && outcome.is !== 'failed') return entry;
    const isFile = unit === 'file' || unit === 'document';
    const isAccepted = isFile ? files.has(file ?? '') : keys.has(JSON.stringify([file, title]));
    return isAccepted ? { ...entry, outcome: { is: 'irrelevant', why: 'accepted' } } : entry;
  });
}
