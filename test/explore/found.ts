/** Whether an exploration finds the fault that was planted: an instance that only the RGD without it renders or rejects. */
import { explorePackage } from '../../src/check/explore/index.ts';
import { validatePackage } from '../../src/check/validate/index.ts';
import { Collector, isError } from '../../src/core/diagnostics/index.ts';
import { defaultRenderOptions } from '../../src/render/options/index.ts';
import { readStreams } from '../../src/yaml/parse/index.ts';
import type { Planted } from './plant.ts';

export interface Found {
  isFound: boolean;
  /** The CPU time of the exploration, in seconds. */
  seconds: number;
  /** The errors of the RGDs themselves, which are faults of the generator. */
  broken: readonly string[];
  counterexamples: readonly string[];
}

const read = (texts: readonly string[]): ReturnType<typeof readStreams> =>
  readStreams(
    texts.map((text, index) => ({ file: `${index}.yaml`, text })),
    new Collector(),
  );

/** Faults that are no errors of a package. */
const FAULTY_WARNINGS: ReadonlySet<string> = new Set(['nothing-rendered', 'node-skipped', 'quota-exceeded']);

/** Returns the codes and places of the errors of a package, and of nodes that are omitted. */
function faultsOf(texts: readonly string[]): string[] {
  const { reports, rendering } = validatePackage({ objects: read(texts) }, defaultRenderOptions);
  const all = [...reports, ...rendering.reports.filter(({ code }) => code === 'node-skipped')];
  const faulty = all.filter((one) => isError(one) || FAULTY_WARNINGS.has(one.code));
  return faulty.map(({ code, node, path }) => JSON.stringify([code, node, path]));
}

/** Reports whether an instance shows the fault: its objects differ from those of the RGD without it in what is wrong. */
function showsFault(instance: string, { fault, node, clean, faulty }: Planted): boolean {
  const found = faultsOf([JSON.stringify(faulty), instance]);
  // Without the fault, the node has a condition of its own, and is omitted too.
  if (fault === 'contagious') return found.some((one) => one.includes(`"node-skipped","${node}"`));
  const known = new Set(faultsOf([JSON.stringify(clean), instance]));
  return found.some((one) => !known.has(one));
}

export function explorePlanted(planted: Planted): Found {
  const { fault, node, clean, faulty } = planted;
  const rgd = JSON.stringify(faulty);
  const without = JSON.stringify(clean);
  const broken = [rgd, without].flatMap((one) => faultsOf([one]));
  const objects = read([rgd]);
  const start = process.cpuUsage();
  const { reports } = explorePackage({ objects }, defaultRenderOptions);
  const { user, system } = process.cpuUsage(start);
  const isFound = reports.some(
    (one) =>
      one.reproduction !== undefined &&
      (fault !== 'contagious' || one.node === node) &&
      showsFault(one.reproduction, planted),
  );
  const messages = reports.filter(({ code }) => code === 'counterexample').map(({ message }) => String(message));
  return { isFound, seconds: (user + system) / 1e6, broken, counterexamples: messages };
}
