import type { CodeAction, Diagnostic as LspDiagnostic } from 'vscode-languageserver';
import type { SourceFix } from '../check/reports/index.ts';
import { ownValue } from '../core/model/value.ts';
import { secretLinesIn } from '../yaml/locate/index.ts';
import { diagnosticsOf } from './features/diagnostics.ts';
import { applyCertainFixes } from './features/fixes/certain.ts';
import { Validations } from './features/fixes/edits.ts';
import { placeOf, soundFixes } from './features/fixes/offered.ts';
import type { CheckSettings } from './workspace/check.ts';
import type { SourceFile } from './workspace/file.ts';
import { Workspace } from './workspace/workspace.ts';

export type { CheckSettings };

/** The characters of packages that may be validated to fix the files of one command: some seconds. */
const MOST_READ = 20_000_000;

/** Files by URI: those that may change, and others that define kinds. */
export interface TextsToFix {
  readonly texts: ReadonlyMap<string, string>;
  readonly beside: ReadonlyMap<string, string>;
  /** The folder of the package, as a URI. */
  readonly folder: string;
}

export interface FixedTexts {
  /** The texts that changed, by URI. */
  readonly changed: ReadonlyMap<string, string>;
  /** The number of fixes. */
  readonly count: number;
  /** Whether every fix was tried. */
  readonly isComplete: boolean;
}

/** Applies the fixes that nobody has to choose, as `source.fixAll` of an editor does for one file. Pure. */
export function fixTexts(given: TextsToFix, settings: CheckSettings): FixedTexts {
  const { texts } = given;
  const workspace = workspaceOf(given, settings);
  const validations = new Validations(MOST_READ);
  const count = applyCertainFixes(workspace, [...texts.keys()], validations);
  const changed = new Map<string, string>();
  for (const [uri, text] of texts) {
    const now = workspace.files.get(uri)?.text ?? text;
    if (now !== text) changed.set(uri, now);
  }
  return { changed, count, isComplete: validations.areLeft };
}

function workspaceOf({ texts, beside, folder }: TextsToFix, settings: CheckSettings): Workspace {
  const workspace = new Workspace();
  workspace.addRoot(folder);
  workspace.configure(settings, [...beside.keys()]);
  for (const [uri, text] of [...beside, ...texts]) workspace.setFile(uri, text);
  return workspace;
}

/** A diagnostic with its fixes. Its position counts from 1. */
export interface FixedPlace {
  readonly uri: string;
  readonly code: string;
  readonly line: number;
  readonly column: number;
  readonly fixes: readonly SourceFix[];
}

/** The characters of packages that may be validated to find the fixes of a report: less than a second. */
const MOST_READ_FOR_REPORT = 2_000_000;

/**
 * Returns the fixes that an editor offers for each diagnostic of files. One that shows a line of a Secret is left out, and
 * so are all once the budget is spent. Pure.
 */
export function findFixes(given: TextsToFix, settings: CheckSettings): FixedPlace[] {
  const workspace = workspaceOf(given, settings);
  for (const plan of workspace.packages) workspace.check(plan);
  const validations = new Validations(MOST_READ_FOR_REPORT);
  return [...given.texts.keys()].flatMap((uri) => {
    const file = workspace.files.get(uri);
    if (file === undefined) return [];
    const isSecretLine = secretLinesIn(file.text);
    return diagnosticsOf(file, workspace).flatMap((diagnostic): FixedPlace[] => {
      const { line, character } = diagnostic.range.start;
      if (!validations.areLeft || isSecretLine(line + 1)) return [];
      const found = soundFixes({ diagnostic, place: placeOf(diagnostic, file, workspace), validations });
      const fixes = found.map(({ action }) => sourceFix(action, file)).filter((fix) => !showsSecret(fix, isSecretLine));
      return fixes.length === 0
        ? []
        : [{ uri, code: codeOf(diagnostic), line: line + 1, column: character + 1, fixes }];
    });
  });
}

const codeOf = ({ code }: LspDiagnostic): string => String(code);

function sourceFix({ title, edit }: CodeAction, { uri }: SourceFile): SourceFix {
  const edits = (ownValue(edit?.changes, uri) ?? []).map(({ range: { start, end }, newText }) => ({
    startLine: start.line + 1,
    startColumn: start.character + 1,
    endLine: end.line + 1,
    endColumn: end.character + 1,
    text: newText,
  }));
  return { title, edits };
}

/** Reports whether a fix replaces a line that may show a value of a Secret. */
function showsSecret({ edits }: SourceFix, isSecretLine: (line: number) => boolean): boolean {
  return edits.some(({ startLine, endLine }) => {
    for (let line = startLine; line <= endLine; line += 1) if (isSecretLine(line)) return true;
    return false;
  });
}
