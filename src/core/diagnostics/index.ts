import { groupBy } from '../model/group-by.ts';
import {
  fullTitleOf,
  generateNameOf,
  type InputObject,
  type KubeObject,
  nameOf,
  namespaceOf,
} from '../model/object.ts';
import { formatPath, type Path, type Value } from '../model/value.ts';
import { shownSteps, stepsToSecret } from '../redaction/index.ts';
import { clipped } from '../text/clip.ts';
import {
  type Code,
  type Collector,
  codes,
  isError,
  type Listed,
  type Problem,
  type Report,
  type Severity,
} from './diagnostic.ts';
import {
  composeText,
  format,
  HIDDEN,
  joinTexts,
  type Message,
  mapText,
  phrase,
  phraseIf,
  shown,
  type Text,
  trusted,
} from './message.ts';

const MAX_SUBJECTS = 20;

/** The fields of reports and diagnostics that folding reads. */
export type Foldable = Pick<Report, 'code' | 'severity' | 'alike' | 'listed'> & {
  message: string;
  hint?: string | undefined;
};

/** One line for several subjects, without a location. */
export type Line = Pick<Report, 'code' | 'message'> & { severity: Severity; hint: Text };

const isListed = <T extends Foldable>(one: T): one is T & { listed: Listed } =>
  one.listed !== undefined && !isError(one);

function oneOf<T extends Foldable>(group: readonly (T & { listed: Listed })[], bare: (line: Line) => T): T {
  const [first] = group as [T & { listed: Listed }];
  if (group.length === 1) return first;
  const { code, severity = 'error', listed } = first;
  const subjects = [...new Set(group.map((one) => one.listed.subject))];
  const more = subjects.length - MAX_SUBJECTS;
  const named = joinTexts([...subjects.slice(0, MAX_SUBJECTS), ...(more > 0 ? [composeText`${more} more`] : [])], ', ');
  // Without items the command covers everything.
  const items = more > 0 ? [] : [...new Set(group.map((one) => `${one.listed.item} `))];
  const notes = [...new Set(group.flatMap((one) => one.listed.note ?? []))].slice(0, MAX_SUBJECTS);
  const command = mapText(listed.hint, (words) => words.replace('ITEMS ', () => items.join('')));
  const hint = joinTexts([...notes, command], '; ');
  return bare({ code, severity, message: composeText`${listed.message}: ${named}`, hint });
}

/** Returns the texts of a problem, which may quote values of Secrets. */
export const worded = (message: string, hint?: string): Pick<Problem, 'message' | 'hint'> => ({
  message: phrase`${message}`,
  hint: phraseIf(hint),
});

/** The maximum length of a message: it may quote expressions, rules and values of any length. */
const MAX_MESSAGE = 2000;
const MAX_HINT = 4000;

/** Converts a problem, from which `redact` removed values of Secrets, to a report with texts of limited length. */
export const toReport = ({ message, hint, ...problem }: Problem): Report => ({
  ...problem,
  message: formatBriefly(message, MAX_MESSAGE),
  hint: hint && formatBriefly(hint, MAX_HINT),
});

/** Returns a report about no object or field. */
export const unplaced = (code: Code, message: Text, hint?: Text, severity?: Severity): Report => ({
  code,
  message,
  path: [],
  ...(hint && { hint }),
  ...(severity && { severity }),
});

/** A warning that a package has nothing of what a command works on, although it succeeds. */
export const nothingFound = (message: Text): Report => unplaced('nothing-to-read', message, undefined, 'warning');

function formatBriefly(message: Message, most: number): Text {
  const whole = format(message);
  return whole.length <= most ? whole : composeText`${clipped(whole, most)}`;
}

export * from './diagnostic.ts';
export * from './message.ts';

const PENDING: ReadonlySet<string> = new Set<Code>([
  'pending-value',
  'pending-reference',
  'pending-reader',
  'provider-pending',
]);

/** Reports whether a report or a diagnostic is about a value that only a cluster has: `pending` lists those. */
export const isPending = ({ code }: { code: string }): boolean => PENDING.has(code);

/** Moves pending errors after those that no live object fixes, because those must be fixed first. */
export function pendingLast(reports: readonly Report[]): readonly Report[] {
  const isLast = (report: Report): boolean => isError(report) && isPending(report);
  if (!reports.some((report) => isError(report) && !isPending(report))) return reports;
  return [...reports.filter((report) => !isLast(report)), ...reports.filter(isLast)];
}

/**
 * Removes reports whose cause another one names. An unread text explains that the kinds that it names are undefined, a
 * file without a text explains any kind, and a value that an instance lacks that an expression reads it unguarded.
 */
export function withoutConsequences(reports: readonly Report[]): readonly Report[] {
  const unread = reports.filter((report) => isError(report) && codes[report.code].stage === 'parse');
  const texts = new Set(unread.map(({ source }) => source?.text));
  const named = new Set([...texts].flatMap((text = '') => text.match(/\w+/g) ?? []));
  const lacking = new Set(reports.filter(({ code }) => code === 'missing-in-instance').map(placeOf));
  const isExplained = (report: Report): boolean => {
    if (report.code === 'lint-optional-read-unguarded') return lacking.has(placeOf(report));
    if (report.code !== 'undefined-kind' || unread.length === 0) return false;
    return texts.has(undefined) || named.has(report.object?.split('/', 1)[0] ?? '');
  };
  return unread.length === 0 && lacking.size === 0 ? reports : reports.filter((report) => !isExplained(report));
}

/** Joins lists of reports, without those of an earlier list. Files of versions are not compared, and errors all count. */
export function joinReports(lists: readonly (readonly Report[])[], compares: 'files' | 'versions'): Report[] {
  const known = new Set<string>();
  const keyOf = ({ code, severity, object, namespace, node, path, offset, source, instance }: Report): string => {
    const files = compares === 'files' && [source?.file, instance?.file];
    const documents = [source?.document, instance?.document];
    return JSON.stringify([code, severity, object, namespace, node, path, offset, files, documents]);
  };
  return lists.flatMap((list) => {
    const left = list.filter((one) => (compares === 'versions' && isError(one)) || !known.has(keyOf(one)));
    for (const one of list) known.add(keyOf(one));
    return left;
  });
}

const placeOf = ({ source, path }: Report): string => `${source?.file}\0${source?.document}\0${formatPath(path)}`;

export const UNSAID = 'the reason is not shown: a Secret is involved';

/**
 * Removes the values that a problem quotes. A message that only quotes becomes the meaning of its code, and a hint that
 * quotes a value is removed. `field` is the public part of the path, which still locates the position in the file.
 */
export function redact<P extends Problem>(problem: P, field: Path = problem.path): P {
  const { hint, ...rest } = problem;
  return {
    ...rest,
    message: hideValues(problem),
    hint: hint?.isReplaceable ? hint.hide() : undefined,
    ...(field === problem.path ? {} : { field }),
  } as P;
}

export function show<P extends Problem>(problem: P): P {
  const { message, hint } = problem;
  return { ...problem, message: shown(format(message)), hint: hint && shown(format(hint)) };
}

export const hideValues = ({ code, message }: Problem): Message =>
  message.hasWords ? message.hide() : phrase`${shown(codes[code].meaning.replace(/\.$/, ''))} (${shown(UNSAID)})`;

/** Redacts the problem of an object, or of a document, if it is about a Secret in it. */
export function redactSecrets<P extends Problem>(problem: P, root: Value): P {
  const steps = stepsToSecret(root, problem.path);
  return steps === undefined ? problem : redact(problem, shownSteps(root, problem.path, steps));
}

/** Collects the problems of one object: everything is reported, nothing is thrown. */
export interface Reporter {
  report(problem: Problem, node?: string): void;
  failed(): boolean;
}

export function reporterFor(input: InputObject, reports: Collector): Reporter {
  const object = shownTitleOf(input);
  const namespace = shownNamespaceOf(input);
  const about = { object, ...(namespace !== '' && { namespace }) };
  let failed = false;
  return {
    report(problem, node) {
      failed ||= isError(problem);
      const reported = input.secret === undefined ? redactSecrets(problem, input.object) : redact(problem, []);
      reports.add({ ...toReport(reported), ...about, node, source: input.source });
    },
    failed: () => failed,
  };
}

export function reportAgain(known: readonly Report[], { source }: InputObject, reports: Collector): void {
  for (const report of known) reports.add({ ...report, source });
}

/** Reports whether the name of an object may be a value of a Secret. */
export const hidesName = (secret: InputObject['secret']): boolean => secret === 'name' || secret === 'everything';

/** Which parts of a title may be values of a Secret: its name, or even its kind. */
export type HiddenTitle = boolean | 'everything';

export const hiddenTitleOf = (secret: InputObject['secret']): HiddenTitle =>
  secret === 'everything' ? 'everything' : secret === 'name';

/** A template with values of Secrets may write them anywhere in its objects, their kinds included. */
export const hiddenTitleOfRendered = ({ secret }: Pick<InputObject, 'secret'>): HiddenTitle =>
  secret === undefined ? false : 'everything';

export const shownTitleOf = ({ object, secret }: InputObject): Text => titleText(object, hiddenTitleOf(secret));

/** Returns the name of an object, which may be a value of a Secret. */
export const nameText = (object: KubeObject, isHidden: boolean): Text =>
  isHidden ? HIDDEN : trusted.definition(nameOf(object));

/** Returns the namespace of an object; '' if its name may be a value of a Secret. */
export const namespaceText = (object: KubeObject, isHidden: boolean): Text =>
  isHidden ? composeText`` : trusted.definition(namespaceOf(object));

/** Returns the title of an object; only its kind, or nothing of it, if its name may be a value of a Secret. */
export function titleText(object: KubeObject, hidden: HiddenTitle): Text {
  if (hidden === 'everything') return HIDDEN;
  return composeText`${trusted.definition(object.kind)}/${nameText(object, hidden)}`;
}

/** Returns the title of an object with its namespace: `Kind namespace/name`. */
export function fullTitle(object: KubeObject, hidden: HiddenTitle): Text {
  if (hidden === 'everything') return HIDDEN;
  if (hidden) return composeText`${trusted.definition(object.kind)} ${HIDDEN}`;
  const generated = generateNameOf(object);
  const name = generated === '' ? nameOf(object) : `${generated}*`;
  return trusted.definition(fullTitleOf({ kind: object.kind, namespace: namespaceOf(object), name }));
}

/** Returns the argument that names an object: `Kind/namespace/name`; only its kind if its name may be secret. */
export function addressText(object: KubeObject, hidden: HiddenTitle): Text {
  if (hidden !== false) return titleText(object, hidden);
  return trusted.definition(
    [object.kind, namespaceOf(object), nameOf(object)].filter((part, at) => part !== '' || at === 2).join('/'),
  );
}

/** Returns its namespace; '' if it may be a value of a Secret. */
export const shownNamespaceOf = ({ object, secret }: InputObject): Text => namespaceText(object, hidesName(secret));

/**
 * Folds reports or diagnostics for people. Warnings and infos with the same `alike` become one at the first location,
 * with the count; `listed` ones become a last line for each code and severity, which `bare` creates. Errors stay
 * separate, because each of their locations must be fixed.
 */
export function condenseWith<T extends Foldable>(all: readonly T[], bare: (line: Line) => T): T[] {
  const keyOf = (one: T): string | undefined =>
    one.alike === undefined || isError(one) ? undefined : `${one.severity} ${one.code} ${one.alike}`;
  const alike = groupBy(all, keyOf);
  const different = all.flatMap((one) => {
    const group = alike.get(keyOf(one) ?? '') ?? [one];
    if (one !== group[0]) return [];
    return [group.length === 1 ? one : { ...one, message: `${one.message} (${group.length} times)` }];
  });
  const listed = groupBy(different.filter(isListed), ({ severity, code }) => `${severity} ${code}`);
  return [...different.filter((one) => !isListed(one)), ...[...listed.values()].map((group) => oneOf(group, bare))];
}

export const condense = (reports: readonly Report[]): Report[] =>
  condenseWith(reports, (line) => ({ ...line, path: [] }));

/** Returns the reports that the user wants: with `verbose` also notes about intended effects. */
export const wanted = (
  reports: readonly Report[],
  { quiet, verbose }: { quiet: boolean; verbose: boolean },
): Report[] => reports.filter((report) => isError(report) || (!quiet && (verbose || report.code !== 'node-skipped')));
