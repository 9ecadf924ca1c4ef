import { readDocuments } from '../../check/documents/index.ts';
import { UNSEEN } from '../../check/reports/index.ts';
import { composeText, counted, joinTexts, type Text, trusted } from '../../core/diagnostics/index.ts';
import { type Entry, type Evidence, NO_EVIDENCE, type Outcome, type UnseenReason } from '../../core/ledger/index.ts';
import { isKustomizationFile } from '../../core/model/kustomization.ts';
import { isOther, isTemplate, seemsToHaveObjects } from '../../core/text/manifests.ts';
import { isBelow } from '../../core/text/paths.ts';
import { isToolConfiguration } from '../../kubernetes/select/index.ts';
import type { ApplicationOutcome, Plan, PlannedApplication } from './application.ts';
import { type Application, titleOfApplication } from './application.ts';
import type { ChangedFile, ChangedFiles } from './changed-files.ts';
import { type Comparison, type Pair, withoutForeignSources } from './compare.ts';
import type { Side } from './side.ts';

/** What nobody compared of a change, and why. */
export interface Unknown {
  title: Text;
  name: string;
  reason: Text;
}

const MANIFEST = /\.(ya?ml|json)$/;
/** Folders of tools, which no controller reads. */
const TOOL_FOLDER = /(^|\/)(\.git|\.github|node_modules)\//;
/** Files that tools read, and that are no manifests. */
const SETTINGS: readonly string[] = ['render-rgd.yaml'];

interface ComparedPair {
  pair: Pair;
  comparison: Pick<Comparison, 'error' | 'asWritten' | 'isUnaffected' | 'isPartly'>;
}

/** Counts the changed files by what read them. */
export function changedFiles(
  changed: ReadonlySet<string>,
  before: Side,
  after: Side,
  compared: readonly ComparedPair[],
): ChangedFiles {
  const readers = readersOf(changed, before, after, compared);
  const outcomes = [...changed].sort().map((file) => outcomeOf(file, readers.get(file) ?? [], before, after));
  const uncompared = outcomes.filter(({ is }) => is === 'uncompared');
  const applications = uncompared.flatMap(({ file }) => readers.get(file) ?? []);
  return {
    all: changed.size,
    compared: outcomes.filter(({ is }) => is === 'compared').length,
    uncompared: {
      count: uncompared.length,
      applications: [...new Set(applications.map(({ application }) => titleOfApplication(application)))],
    },
    unread: outcomes.flatMap(({ is, file }) => (is === 'unread' ? [file] : [])),
    irrelevant: outcomes.filter(({ is }) => is === 'irrelevant').length,
    outcomes,
  };
}

function outcomeOf(file: string, readers: readonly Reader[], before: Side, after: Side): ChangedFile {
  const opaque = opaqueReason(file, before) ?? opaqueReason(file, after);
  if (opaque !== undefined) return { file, is: 'unread', why: opaque };
  if (readers.some(({ isCompared }) => isCompared)) return { file, is: 'compared' };
  if (readers.length > 0) {
    return { file, is: 'uncompared', names: [...new Set(readers.map(({ application }) => application.name))] };
  }
  const why = reasonWithoutReader(file, before) ?? reasonWithoutReader(file, after);
  return why === undefined ? { file, is: 'irrelevant' } : { file, is: 'unread', why };
}

/** Returns why nobody can read a document of a file: all of it is encrypted, or Git has its content elsewhere. */
function opaqueReason(file: string, { context: { repository } }: Side): UnseenReason | undefined {
  if (!MANIFEST.test(file)) return undefined;
  for (const { outcome } of readDocuments(repository.documentsOf(file)).others) {
    if (outcome.is === 'unseen') return outcome.why;
  }
  return undefined;
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
    const rendered = comparison.isPartly ? side.filesOf(withoutForeignSources(application)) : new Set<string>();
    for (const file of changed) {
      const isRead =
        files.has(file) || file === application.place || files.has(side.context.repository.tree.real(file));
      if (isRead) add(file, { application, isCompared: isCompared || rendered.has(file) });
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

/** Returns why nobody looked at a file that no application reads; `undefined` for one that has no objects. */
function reasonWithoutReader(file: string, { context: { repository } }: Side): UnseenReason | undefined {
  if (isOther(file) || TOOL_FOLDER.test(file) || SETTINGS.includes(file)) return undefined;
  if (isKustomizationFile(file)) return 'no-reader';
  const isManifest = MANIFEST.test(file);
  if (isManifest && repository.faultOf(file) === undefined) {
    const objects = repository.objectsOf(file);
    return objects.some(({ object }) => !isToolConfiguration(object)) ? 'no-reader' : undefined;
  }
  const text = repository.tree.text(file);
  if (text === undefined || !seemsToHaveObjects(text)) return undefined;
  if (isManifest) return 'no-reader';
  return isTemplate(file) ? 'template' : 'other-name';
}

const MOST_NAMED = 3;

function namesOf(names: readonly Text[]): Text {
  const shown = joinTexts(names.slice(0, MOST_NAMED), ', ');
  const more = names.length - MOST_NAMED;
  return more > 0 ? composeText`${shown} and ${more} more` : shown;
}

/** What nobody can read, even if an application does. */
const OPAQUE: readonly UnseenReason[] = ['encrypted', 'not-checked-out'];

/** `14 changed files: 9 in compared applications, 3 in applications that are not compared (a), 2 that no application reads (b)` */
export function filesText({ all, compared, uncompared, unread, outcomes }: ChangedFiles): Text | undefined {
  if (uncompared.count === 0 && unread.length === 0) return undefined;
  const opaque = outcomes.flatMap((one) => (one.is === 'unread' && OPAQUE.includes(one.why) ? [one.file] : []));
  const readerless = unread.filter((file) => !opaque.includes(file));
  const parts: Text[] = [];
  if (compared > 0) parts.push(composeText`${compared} in compared applications`);
  if (uncompared.count > 0) {
    parts.push(
      composeText`${uncompared.count} in applications that are not compared (${namesOf(uncompared.applications)})`,
    );
  }
  if (readerless.length > 0) {
    parts.push(composeText`${readerless.length} that no application reads (${namesOf(readerless.map(trusted.file))})`);
  }
  if (opaque.length > 0) {
    parts.push(composeText`${opaque.length} that cannot be read (${namesOf(opaque.map(trusted.file))})`);
  }
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
  const unread = files.outcomes.flatMap((one): Unknown[] => {
    if (one.is !== 'unread') return [];
    const title = trusted.file(one.file);
    return [{ title, name: one.file, reason: trusted.definition(UNSEEN[one.why]) }];
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

/**
 * Returns what became of each application and of each changed file. `allowed` names applications that need not be
 * compared.
 */
export function planEvidence(plan: Plan, allowed: readonly string[] = []): Evidence {
  const isNoneCompared = plan.compared === 0 && plan.found > 0;
  const applications = plan.outcomes.map(({ application, is }): Entry => {
    return {
      unit: 'application',
      file: application.place === '' ? undefined : application.place,
      title: titleOfApplication(application),
      kind: trusted.definition(application.kind),
      outcome: allowed.includes(application.name) ? ACCEPTED : outcomeOfApplication(is, isNoneCompared),
    };
  });
  const changes = plan.files.outcomes.map((one): Entry => {
    const title = trusted.file(one.file);
    return { unit: 'change', file: one.file, title, kind: title, outcome: outcomeOfChange(one, allowed) };
  });
  return { ...NO_EVIDENCE, given: [...applications, ...changes], policies: plan.policies };
}

const ACCEPTED: Outcome = { is: 'irrelevant', why: 'accepted' };

function outcomeOfApplication(is: ApplicationOutcome['is'], isNoneCompared: boolean): Outcome {
  if (is === 'unbuilt' || (is === 'untouched' && isNoneCompared)) return { is: 'unseen', why: 'not-built' };
  if (is === 'untouched') return { is: 'unaffected' };
  return { is };
}

function outcomeOfChange(one: ChangedFile, allowed: readonly string[]): Outcome {
  switch (one.is) {
    case 'compared':
      return { is: 'compared' };
    case 'uncompared': {
      const isAllowed = one.names.every((name) => allowed.includes(name));
      return isAllowed ? ACCEPTED : { is: 'unseen', why: 'application-not-compared' };
    }
    case 'unread':
      return { is: 'unseen', why: one.why };
    case 'irrelevant':
      return { is: 'irrelevant', why: 'no-manifest' };
  }
}

/** Returns what became of an application that was compared, as far as that is possible. */
export function applicationOutcome(
  comparison: Omit<PlannedApplication, 'changes'>,
  changes: number,
): ApplicationOutcome {
  const { application, error, isForeign, isUnaffected, asWritten } = comparison;
  if (error !== undefined && isForeign !== true) return { application, is: 'failed' };
  if (error !== undefined) return { application, is: isUnaffected === true ? 'untouched' : 'unbuilt' };
  return { application, is: asWritten !== undefined && changes > 0 ? 'unbuilt' : 'compared' };
}
