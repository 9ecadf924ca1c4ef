import { hasErrors, isError, type Report } from '../diagnostics/index.ts';
import type { KubeObject } from '../model/object.ts';
import type { RenderInput } from '../model/render.ts';
import type { Settings } from '../options/index.ts';
import { crdsOf } from '../pipeline.ts';
import { renderOverEarlier } from '../rerender/index.ts';
import { type Made, madeToPrint } from '../select/index.ts';
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
  if (hasErrors(reports)) return conclude([], reports, settings, io);
  const output = renderOverEarlier(input, settings);
  const { made, leftOut } = madeToPrint(output, settings.all);
  const all = [...reports, ...output.reports];
  const crds = settings.crds && !hasErrors(all) ? generatedCrds(input, settings, all) : [];
  if (leftOut > 0) {
    const message = `${leftOut} object${leftOut === 1 ? ' was' : 's were'} left out; --all prints them`;
    all.push({ code: 'left-out', message, path: [], severity: 'info' });
  }
  if (made.length + crds.length === 0 && !settings.allowEmpty && !hasErrors(all)) {
    const hint = leftOut > 0 ? '--all prints what is not rendered' : 'add an instance and its RGD';
    all.push({ code: 'empty-output', message: 'nothing is printed', path: [], severity: 'warning', hint });
  }
  if (settings.outputDir !== '') return concludeTree(made, crds, all, gathered, io);
  return conclude([...crds, ...made.map(({ object }) => object)], all, settings, io);
}

const asksForTree = ({ outputDir, layout, check, force }: Settings): boolean =>
  outputDir !== '' || layout !== '' || check || force;

/** The CRDs of the RGDs. What compiling them has to say was said when they were rendered. */
function generatedCrds(input: RenderInput, settings: Settings, reports: Report[]): KubeObject[] {
  const generated = crdsOf(input, settings);
  reports.push(...generated.reports.filter(isError));
  return generated.crds;
}

function concludeTree(
  made: readonly Made[],
  crds: readonly KubeObject[],
  reports: Report[],
  { settings, paths }: Gathered,
  io: Io,
): number {
  if (!hasErrors(reports)) {
    const items = [
      ...crds.map((object) => ({ object, instance: '', folder: '' })),
      ...made.map((one) => placeable(one, paths)),
    ];
    reports.push(...writeTree(items, settings));
  }
  return concludeWith(() => [], reports, settings, io);
}

/** A folder cannot be read and written at once: what is written there is no input. */
function sameFolder({ settings: { outputDir }, paths }: Gathered): string | undefined {
  if (outputDir === '' || !paths.some((path) => path !== '-' && placeOf(path) === placeOf(outputDir))) return undefined;
  return `--output-dir: ${outputDir} is what is read; give it a folder of its own`;
}
