import { onlyAt } from '../address/index.ts';
import type { Report } from '../diagnostics/index.ts';
import type { RenderInput, RenderOptions } from '../model/render.ts';
import { renderWithExpansion } from '../pipeline.ts';
import { withoutEarlier } from '../rerender/index.ts';
import { graphsOf } from './graphs.ts';
import { type Picture, picturesOf, picturesOfInstance } from './picture.ts';

/** What is to be drawn: the RGDs of these names (all without any), or else what became of one instance. */
export interface Subject {
  rgds: readonly string[];
  /** `KIND/NAME` or `KIND/NAMESPACE/NAME`; '' for RGDs. */
  instance: string;
}

export interface Drawn {
  pictures: readonly Picture[];
  reports: readonly Report[];
  /** Why what was asked for cannot be drawn; it says nothing when there is an error among the reports. */
  fault?: string;
}

/** Pictures of a package. Pure. */
export const drawPackage = (input: RenderInput, options: RenderOptions, { rgds, instance }: Subject): Drawn =>
  instance === '' ? ofPackage(input, options, rgds) : ofInstance(input, options, instance);

/** The RGDs of the package, or else those of `definitions`. */
function ofPackage(input: RenderInput, options: RenderOptions, names: readonly string[]): Drawn {
  const { own, all, reports } = graphsOf(input, options);
  const graphs = own.length > 0 ? own : [...all.values()];
  const shown = names.length === 0 ? graphs : [...all.values()].filter(({ name }) => names.includes(name));
  const pictures = picturesOf(shown, all);
  const missing = names.find((name) => !shown.some((graph) => graph.name === name));
  if (missing !== undefined) {
    const there = [...all.values()].map(({ name }) => name).join(', ');
    return { pictures, reports, fault: `there is no RGD ${missing}${there === '' ? '' : `; there is ${there}`}` };
  }
  return shown.length === 0 ? { pictures, reports, fault: 'there is no RGD to draw' } : { pictures, reports };
}

/** What waits is coloured, and so is no error here. */
function ofInstance(input: RenderInput, options: RenderOptions, address: string): Drawn {
  const { expansion, graphs, reports } = renderWithExpansion(withoutEarlier(input), { ...options, onPending: 'skip' });
  if (expansion === undefined || graphs === undefined) return { pictures: [], reports };
  const found = onlyAt(expansion.runs, ({ instance }) => instance, address, 'instance');
  if ('fault' in found) return { pictures: [], reports, fault: found.fault };
  const isAboutWaiting = ({ code }: Report): boolean =>
    code === 'pending-value' || code === 'pending-reader' || code === 'pending-reference';
  return { pictures: picturesOfInstance(found.found, graphs), reports: reports.filter((one) => !isAboutWaiting(one)) };
}
