import { type Collector, isError } from '../diagnostics/index.ts';
import type { KubeObject } from '../model/object.ts';
import type { RenderInput } from '../model/render.ts';
import type { Settings } from '../options/index.ts';
import { crdsOf } from '../pipeline.ts';
import { renderOverEarlier } from '../rerender/index.ts';
import { type Made, madeToPrint, refuseIncomplete } from '../select/index.ts';
import { placeOf } from './boundary.ts';
import { conclude, concludeWith } from './conclude.ts';
import { type Gathered, gather, refuse } from './gather.ts';
import type { Io } from './io.ts';
import { placeable, treeFault, writeTree } from './tree/index.ts';

/** `render-rgd render PATH... [options]` */
export async function renderCommand(args: readonly string[], io: Io): Promise<number> {
  const gathered = await gather('render', args, io, 'render');
  if (typeof gathered === 'number') return gathered;
  const { settings, input, reports } = gathered;
  const fault = asksForTree(settings) ? (treeFault(settings) ?? sameFolder(gathered)) : undefined;
  if (fault !== undefined) return refuse(fault, io);
  if (reports.hasErrors) return conclude([], reports.all, settings, io);
  const output = renderOverEarlier(input, settings);
  const { made, leftOut } = madeToPrint(output, settings.all);
  reports.addAll(output.reports);
  const crds = settings.crds && !reports.hasErrors ? generatedCrds(input, settings, reports) : [];
  if (leftOut > 0) {
    const message = `${leftOut} object${leftOut === 1 ? ' was' : 's were'} left out; --all prints them`;
    reports.add({ code: 'left-out', message, path: [], severity: 'info' });
  }
  if (made.length + crds.length === 0 && !settings.allowEmpty && !reports.hasErrors) {
    const hint = leftOut > 0 ? '--all prints what is not rendered' : 'add an instance and its RGD';
    reports.add({ code: 'empty-output', message: 'nothing is printed', path: [], severity: 'warning', hint });
  }
  if (settings.outputDir !== '') refuseIncomplete(output.entries, TREE, reports);
  if (settings.outputDir !== '') return concludeTree(made, crds, gathered, io);
  return conclude([...crds, ...made.map(({ object }) => object)], reports.all, settings, io);
}

/** A file is named after its object, and told from others by the group too. */
const TREE = {
  code: 'tree-clash',
  reason: 'no file can be named after it',
  hint: 'complete the template; without --output-dir it is printed',
} as const;

const asksForTree = ({ outputDir, layout, check, force }: Settings): boolean =>
  outputDir !== '' || layout !== '' || check || force;

/** The CRDs of the RGDs. What compiling them has to say was said when they were rendered. */
function generatedCrds(input: RenderInput, settings: Settings, reports: Collector): KubeObject[] {
  const generated = crdsOf(input, settings);
  reports.addAll(generated.reports.filter(isError));
  return generated.crds;
}

function concludeTree(
  made: readonly Made[],
  crds: readonly KubeObject[],
  { settings, paths, reports }: Gathered,
  io: Io,
): number {
  if (!reports.hasErrors) {
    const items = [
      ...crds.map((object) => ({ object, instance: '', folder: '' })),
      ...made.map((one) => placeable(one, paths)),
    ];
    reports.addAll(writeTree(items, settings));
  }
  return concludeWith(() => [], reports.all, settings, io);
}

/** A folder cannot be read and written at once: what is written there is no input. */
function sameFolder({ settings: { outputDir }, paths }: Gathered): string | undefined {
  if (outputDir === '' || !paths.some((path) => path !== '-' && placeOf(path) === placeOf(outputDir))) return undefined;
  return `--output-dir: ${outputDir} is what is read; give it a folder of its own`;
}
