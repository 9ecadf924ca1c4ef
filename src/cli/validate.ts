import { pathsBeside } from '../authoring/input/index.ts';
import { lintCodes } from '../authoring/lint/index.ts';
import { countsOf } from '../authoring/reports/index.ts';
import { applyRules } from '../authoring/rules/index.ts';
import { inFileOrder, isOnlyPending, lookedAt, textsIn, validatePackage } from '../authoring/validate/index.ts';
import {
  codes,
  condenseWith,
  counted,
  type Diagnostic,
  type Foldable,
  wanted,
  withoutConsequences,
} from '../core/diagnostics/index.ts';
import { textsByFile } from '../core/model/object.ts';
import { didYouMean } from '../core/text/nearest.ts';
import { choice, flag, list, text } from '../render/options/index.ts';
import { withoutEarlier } from '../render/rerender/index.ts';
import { diagnosticsOf } from '../yaml/locate/index.ts';
import { defineCommand, forChecks, type Invocation } from './command.ts';
import { concludeReport, type Reported, refuse, reportFormat } from './conclude.ts';
import { type Gathered, gather } from './gather.ts';
import { exitCode } from './output.ts';
import { policyOptions, readPolicyFiles, readSettings } from './settings.ts';
import { watch } from './watch.ts';

const own = {
  output: reportFormat,
  failOn: choice(['error', 'warning'], 'Exit with 1 if there is a diagnostic of this severity or a higher one.'),
  disable: list('CODE', 'Disable this lint; docs/diagnostics.md lists them.', {
    each: { pattern: /^lint-[a-z-]+$/, expected: 'lint-NAME; a rule in render-rgd.yaml turns off other warnings' },
    completes: lintCodes,
  }),
  config: text(
    'FILE',
    'Read rules for diagnostics from this file, in place of the nearest render-rgd.yaml above the input.',
  ),
  ...policyOptions,
  watch: flag('Run again whenever a file changes.'),
};

export const validate = defineCommand({
  group: 'Check',
  usage: 'PATH... [options]',
  summary: 'Validate RGDs, instances, ResourceSets and what they render to; - reads standard input.',
  examples: [
    ['validate apps/', 'Validates everything in apps/.'],
    ['validate apps/ --report github --report sarif=out.sarif', 'Annotates a pull request, and keeps a file too.'],
    ['validate apps/ --watch', 'Validates again whenever a file changes.'],
  ],
  own,
  ...forChecks,
  needs: [1, 'a PATH; - reads standard input'],
  run: (invocation) => {
    const { settings, paths, io } = invocation;
    const unknown = settings.disable.find((code) => !lintCodes.some((one) => one === code));
    if (unknown !== undefined) {
      const hint = didYouMean(unknown, lintCodes, 1) ?? `the lints are ${lintCodes.join(', ')}`;
      return refuse(`--disable: unknown lint '${unknown}'; ${hint}`, invocation);
    }
    if (!settings.watch) return validateOnce(invocation);
    const read = [...paths, ...pathsBeside(settings), ...settings.policies];
    if (read.includes('-')) {
      return refuse('--watch does not support standard input; pass a file or a folder', invocation);
    }
    return watch(read, () => validateOnce(invocation), io);
  },
});

async function validateOnce(invocation: Invocation<typeof own>): Promise<number> {
  const gathered = await gather(invocation);
  // An API server rejects some objects of a named file that `render` accepts like the Flux operator's build.
  const found = reportOf({ ...gathered, input: { ...gathered.input, isNamedFile: false } }, invocation);
  const { errors, warnings } = countsOf(found.diagnostics);
  const isRefused = errors > 0 || (invocation.settings.failOn === 'warning' && warnings > 0);
  return concludeReport(invocation, found, isRefused ? exitCode.input : exitCode.ok);
}

function reportOf(
  { input: read, reports, readOptions }: Gathered,
  { settings, paths, io }: Invocation<typeof own>,
): Reported {
  const rules = readSettings(paths, settings.config, reports, readOptions.within);
  const input = { ...read, policies: readPolicyFiles(settings.policies, rules, readOptions, reports) };
  io.progress(`validating ${counted(input.objects.length, 'document')} ...`);
  const clean = withoutEarlier(input);
  const { reports: found, instances } = validatePackage(clean, settings);
  const all = withoutConsequences([...reports, ...found]);
  io.progress('');
  const shown = wanted(all, { ...settings, quiet: false }).filter(
    (report) => settings.verbose || !isOnlyPending(report),
  );
  const files = lookedAt(input, all);
  const sources = new Map([...textsIn(input), ...textsByFile(all)]);
  const ruled = applyRules(diagnosticsOf(shown).map(foldable), sources, rules);
  const complete = inFileOrder(
    ruled.filter((one) => !settings.quiet || one.severity === 'error'),
    files.map(({ file }) => file),
  );
  return {
    verbose: settings.verbose,
    hidden: ruled.filter(({ severity }) => severity === 'warning').length - countsOf(complete).warnings,
    diagnostics: condenseWith<FoldableDiagnostic>(complete, (line) => ({ ...line, stage: codes[line.code].stage })),
    complete,
    files,
    sources,
    instances,
  };
}

/** A diagnostic that can still be folded. */
type FoldableDiagnostic = Diagnostic & Foldable;

const foldable = ({ diagnostic, report: { alike, listed } }: ReturnType<typeof diagnosticsOf>[number]) => ({
  ...diagnostic,
  ...(alike !== undefined && { alike }),
  ...(listed !== undefined && { listed }),
});
