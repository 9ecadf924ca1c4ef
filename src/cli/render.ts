import { opaqueReports } from '../check/documents/index.ts';
import { unreadReports } from '../check/reports/index.ts';
import { hiddenTitleOfReviewed, renderVersion } from '../compare/review/index.ts';
import { type HiddenTitle, isError, withoutConsequences } from '../core/diagnostics/index.ts';
import { lazily } from '../core/model/lazily.ts';
import { identityOf, type KubeObject } from '../core/model/object.ts';
import type { RenderInput } from '../core/model/render.ts';
import { selectForOutput } from '../kubernetes/select/index.ts';
import { flag, sharedOptions, text } from '../render/options/index.ts';
import { crdsOf } from '../render/pipeline.ts';
import { reportPrinted } from '../render/print/index.ts';
import { renderOverEarlier } from '../render/rerender/index.ts';
import { defineCommand, type Invocation } from './command.ts';
import { placeOf } from './file-system.ts';
import { gather } from './files.ts';
import { MetFiles } from './met-files.ts';
import { conclude, objectFormat, objectsOutput, refuse } from './output.ts';
import { placer, treeFault, writeTree } from './tree/index.ts';

const { acceptPrune, ...shared } = sharedOptions;
const own = {
  output: objectFormat,
  outputDir: text('DIR', 'Write one file for each object below this folder instead of printing.'),
  layout: text(
    'TEMPLATE',
    'The path of each file, with {namespace}, {kind}, {name}, {group}, {version}, {instance}, {folder}.',
  ),
  check: flag('Write nothing, and fail with the list of files that are out of date.'),
  force: flag('Overwrite edited and conflicting files.'),
  crds: flag('Add the CustomResourceDefinitions that the RGDs generate, first.'),
};
type Rendering = Invocation<typeof own>;
type RenderSettings = Rendering['settings'];

export const render = defineCommand({
  own,
  shared,
  ignored: { acceptPrune },
  needs: [1, 'a PATH; - reads standard input'],
  run: renderObjects,
});

async function renderObjects(invocation: Rendering): Promise<number> {
  const { settings } = invocation;
  const fault = treeFault(settings) ?? sameFolder(invocation);
  if (fault !== undefined) return refuse(fault, invocation);
  const skip = settings.outputDir === '' ? {} : { skip: placeOf(settings.outputDir) };
  // With --strict, a file that nobody reads is an error: its objects would be missing.
  const met = settings.strict ? new MetFiles() : undefined;
  const { input, reports } = await gather(invocation, {
    ...skip,
    ...(met && { met }),
    skipsOutputs: true,
    reportsIgnored: true,
  });
  const templates = new Set(input.templates ?? []);
  const unread = (met?.entries ?? []).filter(({ file = '' }) => !templates.has(file));
  reports.addAll([...unreadReports(unread, settings.strict), ...opaqueReports(input.objects, settings.strict)]);
  const output = renderOverEarlier(input, settings);
  const { selected, leftOut } = selectForOutput(output, settings);
  // Infos about documents do not matter beside a text that cannot be read.
  const found = reports.hasErrors ? output.reports.filter(({ severity }) => severity !== 'info') : output.reports;
  reports.replaceAll(withoutConsequences([...reports, ...found]));
  // Rendering has already reported other diagnostics of the RGDs.
  const { crds, reports: ofCrds } = settings.crds && !reports.hasErrors ? crdsOf(input, settings) : NO_CRDS;
  reports.addAll(ofCrds.filter(isError));
  reportPrinted(output.entries, { printed: selected.length + crds.length, leftOut }, settings, reports);
  if (settings.outputDir !== '') {
    const generated = crds.map((object) => ({ object, instance: '', folder: '' }));
    const items = [...generated, ...selected.map(placer(invocation.paths))];
    if (!reports.hasErrors) reports.addAll(writeTree(items, settings, namelessIn(input, settings)));
    return conclude(invocation, reports.all);
  }
  const objects = [...crds, ...selected.map(({ object }) => object)];
  return conclude(invocation, reports.all, () => objectsOutput(objects, settings.output));
}

const NO_CRDS: ReturnType<typeof crdsOf> = { crds: [], reports: [] };

/** Renders again when it is asked, because only few reports name files. */
function namelessIn(input: RenderInput, settings: RenderSettings): (object: KubeObject) => HiddenTitle {
  const nameless = lazily(() => {
    const { objects } = renderVersion(input, { ...settings, all: true });
    return new Map(objects.map((one) => [identityOf(one.object), hiddenTitleOfReviewed(one)]));
  });
  return (object) => nameless().get(identityOf(object)) ?? false;
}

function sameFolder({ settings: { outputDir }, paths }: Rendering): string | undefined {
  if (outputDir === '' || !paths.some((path) => path !== '-' && placeOf(path) === placeOf(outputDir))) return undefined;
  return `--output-dir: ${outputDir} is what is read; give it a folder of its own`;
}
