import type { RenderOptions } from '../../core/model/render.ts';
import { Meter } from '../../languages/gotemplate/index.ts';

/** Templates take much smaller steps than expressions, and more of them. */
const STEP_SHARE = 10;
const BYTES_PER_ITEM = 8;

/** The budget that each execution adds, as a fraction of the initial budget. */
const RUN_SHARE = 500;
/** The bytes that each execution adds: templates copy their inputs. */
const RUN_BYTES_SHARE = 1000;

/** More executions than the largest permutation with twenty templates. */
export const MOST_RUNS = 200_000;

/** The cost of a rendered object. */
const OBJECT_STEPS = 100;
/** The number of characters of YAML that cost one step. */
const CHARACTERS_PER_STEP = 4;
/** The maximum number of reported errors of a ResourceSet. */
export const MOST_FAULTS = 1000;

/**
 * The budget of the templates of a package. All ResourceSets share the budget of one expression; each execution adds a
 * little, so that the work is proportional to the input and output.
 */
export class RenderBudget {
  readonly meter: Meter;
  private readonly start: { maxSteps: number; maxBytes: number };

  constructor({ maxSteps, maxSize }: Pick<RenderOptions, 'maxSteps' | 'maxSize'>) {
    this.start = { maxSteps: Math.ceil(maxSteps / STEP_SHARE), maxBytes: maxSize * BYTES_PER_ITEM };
    this.meter = new Meter(this.start);
  }

  /** Adds the budget of so many executions. */
  allowRuns(count: number): void {
    const { maxSteps, maxBytes } = this.start;
    this.meter.allow({
      maxSteps: Math.round((maxSteps * count) / RUN_SHARE),
      maxBytes: Math.round((maxBytes * count) / RUN_BYTES_SHARE),
    });
  }

  /** Counts the documents of a rendered text before they are read. @throws TemplateError (budget) */
  spendDocuments(text: string): void {
    let documents = 1;
    for (let at = text.indexOf('\n---'); at >= 0; at = text.indexOf('\n---', at + 4)) documents++;
    this.meter.spendSteps(documents * OBJECT_STEPS + text.length / CHARACTERS_PER_STEP);
  }

  /** Counts the items of a list of objects. @throws TemplateError (budget) */
  spendObjects(count: number): void {
    this.meter.spendSteps(count * OBJECT_STEPS);
  }
}
