import {
  comparisonJson,
  comparisonMarkdown,
  comparisonText,
  diffPackages,
  KIND_PATTERN,
} from '../authoring/diff/index.ts';
import { pathsBeside } from '../authoring/input/index.ts';
import { Collector, joinReports } from '../core/diagnostics/index.ts';
import { flag, list, sharedOptions } from '../render/options/index.ts';
import { defineCommand, type Invocation } from './command.ts';
import { conclude, refuse } from './conclude.ts';
import { exitCode, painter, printedAs } from './output.ts';
import { policyOptions, readPolicyFiles, readSettings } from './settings.ts';
import { against, faultInVersions, readVersions } from './versions.ts';

const { acceptPrune, ...shared } = sharedOptions;
export const holdsData = list(
  'KIND.GROUP',
  'A kind whose objects lose data when they are deleted, beside those that are known.',
  { each: { pattern: KIND_PATTERN, expected: 'Kind.group, with * for any part of it' } },
);

const own = {
  against,
  output: printedAs(['text', 'json', 'markdown']),
  exitCode: flag('Exit with 1 when something differs, and with 2 for errors.'),
  holdsData,
  ...policyOptions,
};

export const diff = defineCommand({
  group: 'Check',
  usage: 'OLD NEW | PATH... --against REF [options]',
  summary: 'Compare rendered objects: added, removed, changed, replaced.',
  examples: [
    ['diff ../main/apps apps', 'Compares two folders.'],
    ['diff apps --definitions platform --against main', 'Compares the working tree with a branch of git.'],
    ['diff apps --against HEAD~1 -o markdown', 'Writes a comment for a pull request.'],
  ],
  own,
  shared,
  ignored: { acceptPrune },
  run: comparePackages,
});

async function comparePackages(invocation: Invocation<typeof own>): Promise<number> {
  const { settings, paths, io } = invocation;
  const fault = faultInVersions('diff', paths, settings);
  if (fault !== undefined) return refuse(fault, invocation);
  const named = [...paths, ...pathsBeside(settings), ...settings.policies];
  const stdin = named.includes('-') ? await io.stdin() : undefined;
  const reports = new Collector();
  const { before, after: read, ofBefore } = readVersions(paths, settings, stdin, reports);
  const rules = readSettings(paths.slice(-1), '', reports);
  const policies = readPolicyFiles(settings.policies, rules, { exclude: settings.exclude, stdin }, reports);
  const after = read && { ...read, policies };
  const ended = (code: number): number => (settings.exitCode && code === exitCode.input ? exitCode.usage : code);
  if (before === undefined || after === undefined || reports.hasErrors) {
    return ended(conclude(invocation, [...ofBefore, ...reports]));
  }
  const { comparison, reports: found } = diffPackages(before, after, settings, undefined, ofBefore.all);
  const code = conclude(invocation, joinReports([reports.all, found], 'versions'), () => {
    if (settings.output === 'json') return [comparisonJson(comparison)];
    if (settings.output === 'markdown') return [comparisonMarkdown(comparison)];
    return [comparisonText(comparison, painter(invocation))];
  });
  if (code !== exitCode.ok) return ended(code);
  return settings.exitCode && comparison.changes.length > 0 ? exitCode.input : code;
}
