import { applyRules, readRules } from '../check/rules/index.ts';
import { textsIn, validatePackage } from '../check/validate/index.ts';
import { Collector, type Diagnostic, hasErrors, toReport, withoutConsequences } from '../core/diagnostics/index.ts';
import { judge, ledgerValue, withoutFailures } from '../core/ledger/index.ts';
import type { PendingValue } from '../kubernetes/front-end/index.ts';
import { objectsToPrint } from '../kubernetes/select/index.ts';
import { allowSecrets as secretsOption, settingFromValue } from '../render/options/index.ts';
import { crdsOf, surveyPackage } from '../render/pipeline.ts';
import { renderOverEarlier, withoutEarlier } from '../render/rerender/index.ts';
import { liveObjects, observedObjects, withLive } from '../render/survey/index.ts';
import { toDiagnostics } from '../yaml/locate/index.ts';
import { reportArgument } from './arguments.ts';
import { type ReadPackage, type RenderResult, resultOf } from './package.ts';
import { fromPlain, toPlain } from './plain.ts';
import { readSources } from './sources.ts';
import type { JsonValue, Ledger, LiveInput, LiveOptions, ValidateRule } from './types.ts';

const LIVE_MEMBERS: readonly string[] = ['live', 'earlier'] satisfies (keyof LiveInput)[];

export interface PendingResult {
  /** Every pending value of the instances, including those after other pending values; empty after an error. */
  readonly values: PendingValue[];
  readonly diagnostics: Diagnostic[];
}

export interface ValidateResult {
  readonly diagnostics: Diagnostic[];
  /** What became of each document, object and rendered object. */
  readonly ledger: Ledger;
}

export function renderRead({ input, options, reports }: ReadPackage): RenderResult {
  if (reports.some(({ code }) => code === 'library-option')) return resultOf([], reports);
  const rendered = renderOverEarlier(input, options);
  const all = withoutConsequences([...reports, ...rendered.reports]);
  return resultOf(objectsToPrint(rendered, options).objects, all);
}

export function crdsRead({ input, options, reports }: ReadPackage): RenderResult {
  if (hasErrors(reports)) return resultOf([], reports);
  const generated = crdsOf(input, options);
  return resultOf(generated.crds, [...reports, ...generated.reports]);
}

/** Reports invalid options, and validates the rest. */
export function validateRead(
  { input, options, reports }: ReadPackage,
  disable: readonly string[],
  given: readonly ValidateRule[],
): ValidateResult {
  const ofRules = new Collector();
  const rules = readRules(fromPlain({ rules: given } as unknown as JsonValue, ['options']), (problem) =>
    ofRules.add({ ...toReport(problem), code: 'library-option' }),
  );
  const found = validatePackage(withoutEarlier(input), { ...options, disable });
  const all = toDiagnostics(withoutConsequences([...reports, ...ofRules, ...found.reports]));
  const diagnostics = applyRules(all, textsIn(input), { rules });
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length;
  const evidence = errors === 0 ? withoutFailures(found.evidence) : found.evidence;
  const judgement = judge(evidence, { errors, warnings: 0 }, options.strict ? ['unknown'] : []);
  return { diagnostics, ledger: toPlain(ledgerValue(evidence, judgement)) as object as Ledger };
}

export function pendingRead({ input, options, reports }: ReadPackage): PendingResult {
  if (hasErrors(reports)) return { values: [], diagnostics: toDiagnostics(reports) };
  const { survey, reports: found } = surveyPackage(withoutEarlier(input), options);
  const values = survey?.flatMap((one) => one.pending()) ?? [];
  return { values, diagnostics: toDiagnostics([...reports, ...found]) };
}

/**
 * Takes from live objects what a package reads of them; `read` reads it.
 * @throws TypeError for arguments of the wrong type, with the place
 */
export function observeWith<Options extends LiveOptions>(
  given: LiveInput,
  { allowSecrets = false, ...own }: Options,
  read: (own: Omit<Options, 'allowSecrets'>, more: readonly string[]) => ReadPackage,
): RenderResult {
  const { input, options, reports } = read(own, LIVE_MEMBERS);
  const all = new Collector();
  all.addAll(reports);
  const parsed = settingFromValue(secretsOption, allowSecrets);
  if ('fault' in parsed) reportArgument('options', ['allowSecrets'], `allowSecrets: ${parsed.fault}`, undefined, all);
  const sources = readSources(given.live, 'live', false, all);
  const before = readSources(given.earlier ?? [], 'earlier', false, all);
  const live = liveObjects(sources, all);
  const earlier = liveObjects(before, all);
  if (all.hasErrors) return resultOf([], all.all);
  const surveyed = surveyPackage(withoutEarlier(withLive(input, { live, earlier }, all)), options);
  all.addAll(surveyed.reports);
  if (surveyed.survey === undefined) return resultOf([], all.all);
  return resultOf(observedObjects(surveyed.survey, { live, earlier }, allowSecrets, all), all.all);
}
