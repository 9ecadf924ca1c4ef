import { reportSubstitution } from '../../check/validate/index.ts';
import {
  type Collector,
  composeText,
  counted,
  format,
  joinTexts,
  phrase,
  type Report,
  reporterFor,
  shown,
} from '../../core/diagnostics/index.ts';
import { groupBy } from '../../core/model/group-by.ts';
import type { InputObject } from '../../core/model/object.ts';
import { isRgd } from '../../kro/definition/index.ts';
import { reportArgoCd } from './argocd.ts';
import { entriesIn, joined, type Layer, layersOf, withBelow } from './layers.ts';
import { reportOrder } from './order.ts';
import { type Examined, PIPE, reportUnrendered, sourcesOf } from './unrendered.ts';

/** Reports RGDs, instances and ResourceSets that no kustomization renders, and kustomizations that render nothing. */
function reportUnreached(layers: readonly Layer[], { objects, definitions }: Examined, reports: Collector): void {
  const rendering = layers.some(({ mayRender }) => mayRender);
  const { left, asked } = sourcesOf(objects, definitions);
  const sources = groupBy(
    left.filter((input) => !asked.has(input)),
    ({ source }) => joined(source?.file ?? '-', '.'),
  );
  const reported = new Set<InputObject>();
  const hint = phrase`list it under transformers of that kustomization, ${shown(PIPE)}`;
  // Users build the layers that no other one reads.
  const read = new Set(layers.flatMap(({ below }) => below));
  const outermost = layers.filter((layer) => !read.has(layer));
  // What an earlier one reaches has been reported.
  const reached = new Set<Layer>();
  for (const top of outermost.length > 0 ? outermost : layers) {
    const unrendered = withBelow(top, ({ mayRender }) => !mayRender, reached).flatMap(({ resources }) => resources);
    for (const input of [...new Set(unrendered)].flatMap((path) => sources.get(path) ?? [])) {
      if (reported.has(input)) continue;
      reported.add(input);
      const message = phrase`is not rendered: no kustomization from it up to ${{ file: top.folder || '.' }} lists render-rgd as a transformer`;
      // A folder of RGDs that other layers use as definitions may have a kustomization.
      const severity = rendering && isRgd(input.object) ? 'warning' : 'error';
      const problem = { code: 'not-rendered', message, path: [], severity, alike: top.folder } as const;
      reporterFor(input, reports).report(reported.size > 1 ? problem : { ...problem, hint });
    }
  }
  if (rendering || reported.size > 0) return;
  const message = composeText`nothing is rendered: none of ${counted(layers.length, 'kustomization')} lists render-rgd as a transformer`;
  reports.add({ code: 'not-rendered', message, path: [], hint: format(hint) });
}

/** Finds what runners do not report, in kustomizations or else in objects. Returns a line that summarizes the input. */
export function examine(examined: Examined, reports: Collector): string {
  const entries = entriesIn(examined.objects);
  const layers = layersOf(examined.streams, entries);
  reportArgoCd(examined.objects, reports);
  reportSubstitution(examined.objects, reports);
  if (layers.length > 0) {
    // The input of a kustomization is not rendered yet; its output can be checked separately.
    reportOrder(layers, entries, examined, reports);
    reportUnreached(layers, examined, reports);
    const render = 'kustomize build --enable-alpha-plugins --enable-exec LAYER | render-rgd doctor -';
    return `${counted(layers.length, 'kustomization')} checked; to check their output, run\n  ${render}\n`;
  }
  const { all, rendered } = reportUnrendered(examined, reports);
  return `${counted(all, 'object')} checked, ${rendered} of them rendered by render-rgd\n`;
}

const MOST = 5;

/** Combines the reports of many objects of a kind into one, with the names of the others. */
export function groupSimilar(reports: readonly Report[]): Report[] {
  const groups = groupBy(reports, keyOf);
  return reports.flatMap((report) => {
    const [first, ...others] = groups.get(keyOf(report)) ?? [];
    if (first !== report) return [];
    if (others.length === 0) return [report];
    const names = others.slice(0, MOST).map(({ subject, object = composeText`` }) => subject?.name ?? object);
    const more = others.length > MOST ? ', ...' : '';
    const message = composeText`${report.message} (and ${others.length} more of this kind: ${joinTexts(names, ', ')}${more})`;
    const hint = report.hint ?? others.find((one) => one.hint !== undefined)?.hint;
    return [{ ...report, message, ...(hint === undefined ? {} : { hint }) }];
  });
}

const keyOf = ({ code, severity = 'error', alike, object, node, path, source, subject }: Report): string =>
  code === 'not-rendered' && object !== undefined
    ? JSON.stringify([code, severity, alike, subject?.kind ?? object])
    : JSON.stringify([code, severity, object, node, path, source?.file, source?.document]);
