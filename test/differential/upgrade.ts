import { fromPlain } from '../../src/api/plain.ts';
import { readSources } from '../../src/api/sources.ts';
import { compareSemantics } from '../../src/compare/compat/index.ts';
import { Collector, type Report } from '../../src/core/diagnostics/index.ts';
import type { RenderOptions } from '../../src/core/model/render.ts';
import { defaultRenderOptions } from '../../src/render/options/index.ts';
import { toJsonText } from '../../src/yaml/emit/json.ts';
import type { Count } from '../fidelity/page.ts';
import {
  byIdentity,
  canonical,
  compared,
  type Outcome,
  type Verdict,
  withoutNulls,
  withoutValueless,
} from './compare.ts';
import { sample } from './draw.ts';
import { withoutEarlier } from './earlier.ts';
import { isTraced, isTracedSince, traces } from './first-commit.ts';
import type { Judge } from './judge.ts';
import { isLeftToChance } from './on-purpose.ts';
import { type GeneratedPackage, packageOf } from './packages.ts';

/** What changes between two releases: `objects` includes what is rejected, fails or is pending. */
const AREAS = ['objects', 'status'] as const;
type Changes = Record<(typeof AREAS)[number], boolean>;

const options: RenderOptions = {
  ...defaultRenderOptions,
  ...{ strict: true, namespace: 'default', keepOwnerReferences: true },
  kro: '0.10',
};

/** Packages in memory at a time. */
const BATCH = 200;

/**
 * Compares `compat --kro 0.10` with the engines of both releases: it reports a change if there is one, and none if there
 * is none. Packages that this renderer renders differently from one of them, that show a difference of the first commit
 * of the engine, and what follows an error, do not count.
 */
export async function compareUpgrades(before: Judge, after: Judge, packages: number, seed: number): Promise<Count> {
  let [onPurpose, changed, open] = [0, 0, 0];
  for (let at = 0; at < packages; at += BATCH) {
    const drawn = sample(packageOf, Math.min(BATCH, packages - at), seed + at);
    // What an API server merges of an earlier version of an instance is the same in both.
    const inputs = drawn.map((one) => withoutEarlier(one) ?? one);
    const [old, next] = await Promise.all([before, after].map((judge) => judge.ask(inputs, { outcomes: true })));
    for (const [index, input] of inputs.entries()) {
      const [was, is] = [old?.[index], next?.[index]] as [Verdict, Verdict];
      if ([was, is].some((verdict) => compared(input, verdict) !== undefined)) {
        onPurpose += 1;
        continue;
      }
      // Later code of the release undoes it.
      if (isOfFirstCommit(was, is, input)) {
        onPurpose += 1;
        continue;
      }
      const { must, may } = changesBetween(was, is);
      if (must.objects || must.status) changed += 1;
      const all = reportsOf(input);
      const reports = all.filter(({ code }) => code === 'upgrade-change');
      const found = { objects: !reports.every(isOfStatus), status: reports.some(isOfStatus) };
      if (AREAS.every((area) => (found[area] ? may[area] : !must[area]))) continue;
      // It says that it cannot compare: this renderer refuses an object that kro changes, such as a label that is a number.
      if (all.length > reports.length && reports.length === 0) {
        onPurpose += 1;
        continue;
      }
      // What kro reads of a label or annotation without a value is that of its client, not of a release.
      const without = withoutValueless(input, was);
      if (without !== undefined && (await agree(without, before, after))) {
        onPurpose += 1;
        continue;
      }
      if ((await isLeftToChance(before, input)) || (await isLeftToChance(after, input))) {
        onPurpose += 1;
        continue;
      }
      open += 1;
      console.log('\n=== compat and the engines disagree');
      for (const { object, node, message } of reports) console.log(`  compat: ${object} ${node}: ${message}`);
      for (const verdict of [was, is]) console.log(`  kro: ${summaryOf(verdict)}`);
      for (const object of [...input.objects, ...input.observed]) console.log(`    ${toJsonText(fromPlain(object))}`);
    }
  }
  const source = `packages in the engines of kro 0.9 and 0.10, of which ${changed} change`;
  return { source, total: packages, onPurpose, open };
}

/** Reports whether an instance shows a difference of the first commit of the engine that is not followed. */
function isOfFirstCommit(was: Verdict, is: Verdict, { objects }: GeneratedPackage): boolean {
  if (Object.values(traces).some((trace) => isTraced(trace, is.outcomes, objects))) return true;
  const before = new Map((was.outcomes ?? []).map((one) => [one.subject, one]));
  return (is.outcomes ?? []).some((one) => {
    const old = before.get(one.subject);
    return old !== undefined && isTracedSince(old, one, objects);
  });
}

/** Reports whether compat finds what changes between the engines in a package, and nothing else. */
async function agree(input: GeneratedPackage, before: Judge, after: Judge): Promise<boolean> {
  const [[was], [is]] = (await Promise.all([before, after].map((judge) => judge.ask([input], { outcomes: true })))) as [
    Verdict[],
    Verdict[],
  ];
  const { must, may } = changesBetween(was as Verdict, is as Verdict);
  const reports = reportsOf(input).filter(({ code }) => code === 'upgrade-change');
  const found = { objects: !reports.every(isOfStatus), status: reports.some(isOfStatus) };
  return AREAS.every((area) => (found[area] ? may[area] : !must[area]));
}

function reportsOf({ objects, observed }: GeneratedPackage): readonly Report[] {
  const reports = new Collector();
  const read = (list: GeneratedPackage['objects'], at: string) => readSources(list as never, at, true, reports);
  const input = { objects: read(objects, 'objects'), observed: read(observed, 'observed') };
  return compareSemantics(input, options).reports;
}

const isOfStatus = ({ message }: Report): boolean => /^kro 0\.10: status\b/.test(message);

/** Returns what changes for certain, and what may change, because an error hides it. */
function changesBetween(was: Verdict, is: Verdict): { must: Changes; may: Changes } {
  const must = { objects: false, status: false };
  // A rejected object hides what the others become.
  const isHidden = was.outcomes === undefined && is.outcomes === undefined;
  const may = { objects: isHidden, status: isHidden };
  const [old, next] = [was, is].map(({ outcomes = [] }) => new Map(outcomes.map((one) => [one.subject, one])));
  if ((was.outcomes === undefined) !== (is.outcomes === undefined)) must.objects = true;
  for (const subject of new Set([...(old?.keys() ?? []), ...(next?.keys() ?? [])])) {
    const [one, other] = [old?.get(subject), next?.get(subject)];
    const [a, b] = [one, other].map((outcome) => (outcome === undefined ? 'unknown' : (outcome.stage ?? '')));
    if (a !== b && a !== 'unknown' && b !== 'unknown')
      must[isStatusError(one) || isStatusError(other) ? 'status' : 'objects'] = true;
    if ([a, b].some((stage) => stage !== '' && stage !== 'pending')) {
      may.objects = true;
      may.status = true;
      continue;
    }
    // A collection without items waits, or renders nothing.
    if (waitsOf(one) !== waitsOf(other)) may.objects = true;
    if (appliedIn(one) !== appliedIn(other)) must.objects = true;
    if (canonical(one?.status ?? {}) !== canonical(other?.status ?? {})) must.status = true;
  }
  for (const area of AREAS) may[area] ||= must[area];
  return { must, may };
}

/** The engine of kro 0.10 applies the status as the last node, `instance`. */
const isStatusError = (outcome: Outcome | undefined): boolean =>
  outcome?.error?.startsWith('apply "instance": ') === true;

/** The pending nodes; the engine of kro 0.10 has one for the status. */
const waitsOf = (outcome: Outcome | undefined): string =>
  (outcome?.waits ?? [])
    .filter((id) => id !== 'instance')
    .sort()
    .join();

const appliedIn = (outcome: Outcome | undefined): string =>
  canonical(Object.fromEntries(byIdentity((outcome?.applied ?? []).map(withoutNulls))));

const summaryOf = ({ stage, error, outcomes = [] }: Verdict): string =>
  [
    `${stage || 'ok'} ${error ?? ''}`,
    ...outcomes.map((one) => `${one.subject} ${one.stage ?? 'ok'} ${waitsOf(one)} ${canonical(one.status)}`),
  ].join('; ');
