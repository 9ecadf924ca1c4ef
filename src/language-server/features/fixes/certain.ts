import type { CodeAction, Diagnostic as LspDiagnostic } from 'vscode-languageserver';
import type { Diagnostic } from '../../../core/diagnostics/index.ts';
import { ownValue } from '../../../core/model/value.ts';
import type { SourceFile } from '../../workspace/file.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { diagnosticsOf } from '../diagnostics.ts';
import { added, isSound, keyOf, sameAs, textAfter, type Validations } from './edits.ts';
import { distinctFixes, type OfferedFix, placeOf, soundFixes } from './offered.ts';

/** A fix that nobody has to choose, and the diagnostic that it removes. */
interface Candidate {
  readonly file: SourceFile;
  readonly diagnostic: LspDiagnostic;
  readonly action: CodeAction;
}

/**
 * Applies all fixes without an alternative to files of a workspace, as long as validations are left. Each may change what
 * the next one sees. Returns their number.
 */
export function applyCertainFixes(workspace: Workspace, uris: readonly string[], validations: Validations): number {
  const rejected = new Set<string>();
  let applied = 0;
  while (validations.areLeft) {
    const certain = certainIn(workspace, uris);
    const candidates = apart(certain.flatMap((one) => onlyFix(one, workspace, validations))).filter(
      (one) => !rejected.has(keyOfCandidate(one)),
    );
    const [first] = candidates;
    const next = first === undefined ? firstAlone(certain, workspace, validations) : candidates;
    const sound = soundPart(next, workspace, validations);
    if (sound.length === 0) {
      if (first === undefined) break;
      rejected.add(keyOfCandidate(first));
      continue;
    }
    apply(sound, workspace);
    applied += sound.length;
  }
  return applied;
}

type Found = Pick<Candidate, 'file' | 'diagnostic'>;

/** Returns the diagnostics of files. */
function certainIn(workspace: Workspace, uris: readonly string[]): Found[] {
  for (const plan of workspace.packages) workspace.check(plan);
  return uris.flatMap((uri) => {
    const file = workspace.files.get(uri);
    if (file === undefined) return [];
    return diagnosticsOf(file, workspace).map((diagnostic) => ({ file, diagnostic }));
  });
}

/** Reports whether a fix is the intention, whoever wrote the file. */
const isCertain = (one: OfferedFix | undefined): one is OfferedFix =>
  one !== undefined && !one.mayFail && !one.isGuessed;

/** Returns the fix of a diagnostic that has one, sound or not. */
function onlyFix({ file, diagnostic }: Found, workspace: Workspace, validations: Validations): Candidate[] {
  const fixes = distinctFixes({ diagnostic, place: placeOf(diagnostic, file, workspace), validations });
  const [only, ...others] = fixes;
  return isCertain(only) && others.length === 0 ? [{ file, diagnostic, action: only.action }] : [];
}

/** Returns the first diagnostic with several fixes of which one is sound. */
function firstAlone(found: readonly Found[], workspace: Workspace, validations: Validations): Candidate[] {
  for (const { file, diagnostic } of found) {
    const context = { diagnostic, place: placeOf(diagnostic, file, workspace), validations };
    if (distinctFixes(context).length < 2) continue;
    const [only, ...others] = soundFixes(context);
    // An alternative may not be validated.
    if (!validations.areLeft) return [];
    if (isCertain(only) && others.length === 0) return [{ file, diagnostic, action: only.action }];
  }
  return [];
}

const keyOfCandidate = ({ file, diagnostic, action }: Candidate): string =>
  JSON.stringify([file.uri, diagnostic.code, diagnostic.message, action.edit]);

/** Returns the candidates whose edits do not touch those of earlier ones. */
function apart(candidates: readonly Candidate[]): Candidate[] {
  const taken = new Map<SourceFile, { start: number; end: number }[]>();
  return candidates.filter(({ file, action }) => {
    const before = taken.get(file) ?? [];
    const own = editsOf(action, file).map(({ range }) => ({
      start: file.offsetAt(range.start),
      end: file.offsetAt(range.end),
    }));
    const isApart = own.every(({ start, end }) => before.every((one) => end < one.start || one.end < start));
    if (isApart) taken.set(file, [...before, ...own]);
    return isApart;
  });
}

const editsOf = ({ edit }: CodeAction, { uri }: SourceFile) => ownValue(edit?.changes, uri) ?? [];

/** Returns the first candidates that are sound together: all of them, the first half, ..., or the first one. */
function soundPart(
  candidates: readonly Candidate[],
  workspace: Workspace,
  validations: Validations,
): readonly Candidate[] {
  for (let size = candidates.length; size > 1; size = Math.ceil(size / 2)) {
    const part = candidates.slice(0, size);
    if (!validations.areLeft) return [];
    if (areSound(part, workspace, validations)) return part;
  }
  const [first] = candidates;
  if (first === undefined) return [];
  const { file, diagnostic, action } = first;
  const context = { diagnostic, place: placeOf(diagnostic, file, workspace), validations };
  return isSound(action, context) ? [first] : [];
}

/** Reports whether several fixes remove their diagnostics and add none. A fix alone may add those that it hid. */
function areSound(candidates: readonly Candidate[], workspace: Workspace, validations: Validations): boolean {
  const texts = textsAfter(candidates);
  const uris = new Set(texts.keys());
  for (const file of new Set(candidates.map((one) => one.file))) validations.count(file, workspace);
  const before = workspace.diagnosticsAround(uris);
  const after = workspace.withTexts(texts).diagnosticsAround(uris);
  if (added(before, after, keyOf).length > 0) return false;
  return candidates.every(({ file, diagnostic }) => {
    const isOne = (other: Diagnostic): boolean => sameAs(diagnostic, file, other);
    const removed = candidates.filter((one) => one.file === file && one.diagnostic.message === diagnostic.message);
    return after.filter(isOne).length <= before.filter(isOne).length - removed.length;
  });
}

/** Returns the texts of files after fixes, by URI. */
function textsAfter(candidates: readonly Candidate[]): Map<string, string> {
  const texts = new Map<string, string>();
  for (const file of new Set(candidates.map((one) => one.file))) {
    const edits = candidates.flatMap((one) => (one.file === file ? editsOf(one.action, file) : []));
    texts.set(file.uri, textAfter(edits, file));
  }
  return texts;
}

function apply(candidates: readonly Candidate[], workspace: Workspace): void {
  for (const [uri, text] of textsAfter(candidates)) {
    workspace.open(uri, text, (workspace.files.get(uri)?.version ?? 0) + 1);
  }
}
