import { dirname, resolve } from 'node:path';
import { patchText } from '../author/format/index.ts';
import type { SourceFix } from '../check/reports/index.ts';
import { Collector, counted, type Diagnostic, type Report } from '../core/diagnostics/index.ts';
import { lazily } from '../core/model/lazily.ts';
import type { RenderOptions } from '../core/model/render.ts';
import { visible } from '../core/text/visible.ts';
import { type FoundText, pathsBeside, readAdditionalInputs } from '../describe/input/index.ts';
import {
  type CheckSettings,
  type FixedPlace,
  findFixes,
  fixTexts,
  type TextsToFix,
} from '../language-server/fix-texts.ts';
import { flag } from '../render/options/index.ts';
import type { Invocation } from './command.ts';
import { isInside, slashed } from './file-system.ts';
import { readerWith, readFiles } from './files.ts';
import { concludePartly, refuse } from './output.ts';
import { folderOf, rewriteFile } from './rewrite.ts';
import { removeLeftovers } from './write/index.ts';

export const fixOptions = {
  fix: flag('Apply the fixes without an alternative to the files, and validate the result.'),
  dryRun: flag('With --fix: print the changes as a patch, and change nothing.'),
};

type FixInvocation = Invocation<typeof fixOptions> & { settings: { disable: readonly string[]; watch: boolean } };

/**
 * Applies the fixes that an editor applies with "fix all" to the files of a command. Returns the exit code if the command
 * ends here.
 */
export async function fixFiles(invocation: FixInvocation): Promise<number | undefined> {
  const { settings, paths, io } = invocation;
  if (settings.dryRun && !settings.fix) return refuse('--dry-run needs --fix', invocation);
  if (!settings.fix) return undefined;
  if (settings.watch) return refuse('--fix does not support --watch', invocation);
  if (paths.includes('-')) return refuse('--fix changes files; pass a file or a folder', invocation);
  const reports = new Collector();
  const stdin = pathsBeside(settings).includes('-') ? await io.stdin() : undefined;
  const { own, texts, checks } = textsOf(invocation, stdin, reports);
  const { changed, count, isComplete } = fixTexts(texts, checks);
  const fixed = own.flatMap((one) => {
    const { file, text } = one;
    const after = changed.get(uriOf(file));
    return after === undefined ? [] : [{ file, before: text, after, within: folderOf(one, paths) }];
  });
  if (!isComplete) io.stderr('there may be more fixes: run --fix again\n');
  if (settings.dryRun) {
    const patches = fixed.map(({ file, before, after }) => visible(patchText(file, before, after)));
    return concludePartly(invocation, reports.all, () => patches);
  }
  const faults: Report[] = fixed.flatMap((one) => rewriteFile(one));
  removeLeftovers(own.map((one) => ({ file: one.file, within: folderOf(one, paths) })));
  if (faults.length > 0) return concludePartly(invocation, faults, () => []);
  if (!settings.quiet) {
    for (const { file } of fixed) io.stderr(visible(`changed ${file}\n`));
    if (count > 0) io.stderr(`fixed ${counted(count, 'problem')} in ${counted(fixed.length, 'file')}\n`);
  }
  return undefined;
}

type Stdin = Awaited<ReturnType<Invocation['io']['stdin']>> | undefined;

/** What the editor's fixes read of a command. */
interface ReadTexts {
  own: readonly FoundText[];
  texts: TextsToFix;
  checks: CheckSettings;
}

function textsOf({ settings, paths }: FixInvocation, stdin: Stdin, reports: Collector): ReadTexts {
  const { exclude, disable, definitions } = settings;
  const found = readFiles(paths, { exclude, missing: 'error', outputs: [] }, reports);
  const own = found.filter((one) => one.found !== 'chart');
  const beside = readFiles(definitions, {}, reports);
  // The validation of the result reports what is wrong with them.
  const { openapi } = readAdditionalInputs(settings, readerWith({ exclude, stdin }), new Collector());
  return {
    own,
    texts: { texts: byUri(own), beside: byUri(beside), folder: uriOf(commonFolder(own)) },
    checks: { options: settings satisfies RenderOptions, disable, openapi },
  };
}

/** Returns the fixes of the diagnostics of a command, which are searched for once one may have any. */
export function fixesFor(invocation: FixInvocation): (diagnostic: Diagnostic) => readonly SourceFix[] {
  const { settings, paths } = invocation;
  // Standard input cannot be read again.
  if ([...paths, ...pathsBeside(settings)].includes('-')) return () => [];
  const keyOf = (
    uri: string,
    { code, line, column }: Pick<FixedPlace | Diagnostic, 'code' | 'line' | 'column'>,
  ): string => JSON.stringify([uri, code, line, column]);
  const found = lazily(() => {
    const { texts, checks } = textsOf(invocation, undefined, new Collector());
    return new Map(findFixes(texts, checks).map((one) => [keyOf(one.uri, one), one.fixes]));
  });
  return (diagnostic) => {
    const { file, remedies, stage } = diagnostic;
    if (file === undefined || (remedies === undefined && stage !== 'lint')) return [];
    return found().get(keyOf(uriOf(file), diagnostic)) ?? [];
  };
}

/** Returns the name of a file for the packages of the editor, which are divided by their folders. */
const uriOf = (path: string): string => `file://${slashed(resolve(path))}`;

const byUri = (texts: readonly FoundText[]): Map<string, string> =>
  new Map(texts.map(({ file, text }) => [uriOf(file), text]));

/** Returns the folder that contains all files. */
function commonFolder(texts: readonly FoundText[]): string {
  const [first = '.', ...others] = texts.map(({ file }) => dirname(resolve(file)));
  let folder = first;
  while (dirname(folder) !== folder && !others.every((path) => isInside(path, folder))) folder = dirname(folder);
  return folder;
}
