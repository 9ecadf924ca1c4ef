import { composeText, counted, joinTexts, type Text, trusted } from '../../core/diagnostics/index.ts';
import { isKustomizationFile } from '../../core/model/kustomization.ts';
import { isBelow } from '../../core/text/paths.ts';
import type { Plan, PlannedApplication } from './application.ts';
import { type Application, titleOfApplication } from './application.ts';
import type { ChangedFiles } from './changed-files.ts';
import type { Comparison, Pair } from './compare.ts';
import type { Side } from './side.ts';

/** What nobody compared of a change, and why. */
export interface Unknown {
  title: Text;
  name: string;
  reason: Text;
}

const MANIFEST = /\.(ya?ml|json)$/;
/** Folders of tools, which no controller reads. */
const HIDDEN = /(^|\/)\./;
/** Files that tools read, and that are no manifests. */
const SETTINGS: readonly string[] = ['render-rgd.yaml'];

interface ComparedPair {
  pair: Pair;
  comparison: Pick<Comparison, 'error' | 'asWritten' | 'isUnaffected'>;
}

/** Counts the changed files by what read them. */
export function changedFiles(
  changed: ReadonlySet<string>,
  before: Side,
  after: Side,
  compared: readonly ComparedPair[],
): ChangedFiles {
  const readers = readersOf(changed, before, after, compared);
  const unread: string[] = [];
  const applications = new Set<Text>();
  const counts = { compared: 0, uncompared: 0, irrelevant: 0 };
  for (const file of [...changed].sort()) {
    const those = readers.get(file) ?? [];
    const [first] = those;
    if (first === undefined) {
      if (isManifest(file, before) || isManifest(file, after)) unread.push(file);
      else counts.irrelevant += 1;
    } else if (those.some(({ isCompared }) => isCompared)) counts.compared += 1;
    else {
      counts.uncompared += 1;
      for (const { application } of those) applications.add(titleOfApplication(application));
    }
  }
  const { compared: own, uncompared, irrelevant } = counts;
  return {
    all: changed.size,
    compared: own,
    uncompared: { count: uncompared, applications: [...applications] },
    unread,
    irrelevant,
  };
}

interface Reader {
  application: Application;
  isCompared: boolean;
}

function readersOf(
  changed: ReadonlySet<string>,
  before: Side,
  after: Side,
  compared: readonly ComparedPair[],
): Map<string, Reader[]> {
  const readers = new Map<string, Reader[]>();
  const add = (file: string, reader: Reader): void => {
    const those = readers.get(file);
    if (those === undefined) readers.set(file, [reader]);
    else those.push(reader);
  };
  const addFilesOf = (
    application: Application | undefined,
    side: Side,
    comparison: ComparedPair['comparison'],
  ): void => {
    if (application === undefined) return;
    const isCompared = comparison.error === undefined && comparison.asWritten === undefined;
    const files = side.filesOf(application);
    for (const file of changed) {
      const isRead =
        files.has(file) || file === application.place || files.has(side.context.repository.tree.real(file));
      if (isRead) add(file, { application, isCompared });
      // Another revision of the file is deployed, which this change does not touch.
      else if (comparison.isUnaffected && isElsewhere(file, application)) add(file, { application, isCompared: true });
    }
  };
  for (const { pair, comparison } of compared) {
    addFilesOf(pair.old, before, comparison);
    addFilesOf(pair.newer, after, comparison);
  }
  // An ApplicationSet is read for each of its Applications, which name it with its file.
  for (const { declarations } of [before, after]) {
    for (const { file, applications } of declarations) {
      const [application] = applications;
      if (file === undefined || !changed.has(file) || readers.has(file) || application === undefined) continue;
      add(file, { application, isCompared: true });
    }
  }
  return readers;
}

const isElsewhere = (file: string, { sources }: Application): boolean =>
  sources.some(
    (one) =>
      one.type === 'none' &&
      one.elsewhere !== undefined &&
      one.elsewhere.path !== '' &&
      isBelow(file, one.elsewhere.path),
  );

function isManifest(file: string, { context: { repository } }: Side): boolean {
  if (!MANIFEST.test(file) || HIDDEN.test(file) || SETTINGS.includes(file)) return false;
  return isKustomizationFile(file) || repository.objectsOf(file).length > 0;
}

const MOST_NAMED = 3;

function namesOf(names: readonly Text[]): Text {
  const shown = joinTexts(names.slice(0, MOST_NAMED), ', ');
  const more = names.length - MOST_NAMED;
  return more > 0 ? composeText`${shown} and ${more} more` : shown;
}

/** `14 changed files: 9 in compared applications, 3 in applications that are not compared (a), 2 that no application reads (b)` */
export function filesText({ all, compared, uncompared, unread }: ChangedFiles): Text | undefined {
  if (uncompared.count === 0 && unread.length === 0) return undefined;
  const parts = [
    ...(compared > 0 ? [composeText`${compared} in compared applications`] : []),
    ...(uncompared.count > 0
      ? [composeText`${uncompared.count} in applications that are not compared (${namesOf(uncompared.applications)})`]
      : []),
    ...(unread.length > 0
      ? [composeText`${unread.length} that no application reads (${namesOf(unread.map((file) => trusted.file(file)))})`]
      : []),
  ];
  return composeText`${counted(all, 'changed file')}: ${joinTexts(parts, ', ')}`;
}

/** Returns what nobody compared of a change: applications that it may affect, and manifests that nothing reads. */
export function unknownsOf({ applications, found, compared, files }: Plan, allowed: readonly string[] = []): Unknown[] {
  const left = applications.filter(({ application }) => !allowed.includes(application.name));
  const unknown = left.filter(isUnknown).map(unknownOf);
  const isNoneCompared = compared === 0 && found > 0;
  const unaffected = isNoneCompared
    ? left.filter((one) => one.error !== undefined && !isUnknown(one)).map(unknownOf)
    : [];
  const unread = files.unread.map((file): Unknown => {
    const title = trusted.file(file);
    return { title, name: file, reason: composeText`no application reads it` };
  });
  return [...unknown, ...unaffected, ...unread];
}

/** An error of a controller fails a plan itself. */
const isUnknown = ({ error, isForeign, isUnaffected, asWritten, changes }: PlannedApplication): boolean =>
  error === undefined ? asWritten !== undefined && changes.length > 0 : isForeign === true && isUnaffected !== true;

function unknownOf({ application, error, written, asWritten }: PlannedApplication): Unknown {
  const title = titleOfApplication(application);
  const { name } = application;
  if (error === undefined) {
    const parent = asWritten ?? composeText``;
    return { title, name, reason: composeText`compared as it is written, because ${parent} is not rendered` };
  }
  const what =
    written === undefined ? composeText`` : composeText` (compared as it is written, without its source: ${written})`;
  return { title, name, reason: composeText`${error}${what}` };
}
