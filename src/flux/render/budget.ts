import type { RenderOptions } from '../../core/model/render.ts';
import { Meter } from '../../languages/gotemplate/index.ts';

/** Templates take much smaller steps than expressions, and more of them. */
const STEP_SHARE = 10;
const BYTES_PER_ITEM = 8;

/** What executing one template for one input set adds to what may be taken, in parts of what is there at the start. */
const RUN_SHARE = 500;
/** What it adds in bytes: templates copy what they are given. */
const RUN_BYTES_SHARE = 1000;

/** More executions than the largest permutation has with twenty templates. */
export const MOST_RUNS = 200_000;

/** What an object takes that a template renders to, whatever becomes of it. */
const OBJECT_STEPS = 100;
/** Reading YAML takes so many times less than a step for each character. */
const CHARACTERS_PER_STEP = 4;
/** So many mistakes are told of a ResourceSet, and then it is enough. */
export const MOST_FAULTS = 1000;

/**
 * What the templates of a package may take. All ResourceSets have what one expression may take in common; each execution
 * adds a little, so that the work grows with what is read and written, and no faster.
 */
export class RenderBudget {
  readonly meter: Meter;
  private readonly start: { maxSteps: number; maxBytes: number };

  constructor({ maxSteps, maxSize }: Pick<RenderOptions, 'maxSteps' | 'maxSize'>) {
    this.start = { maxSteps: Math.ceil(maxSteps / STEP_SHARE), maxBytes: maxSize * BYTES_PER_ITEM };
    this.meter = new Meter(this.start);
  }

  /** Adds what so many executions may take. */
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
