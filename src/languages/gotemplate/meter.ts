import { type Allowance, allowance, spend } from '../../core/model/limits.ts';
import { TemplateError } from './fault.ts';

/** The limits of executing templates. */
interface TemplateLimits {
  /** Actions, calls and iterations. */
  maxSteps: number;
  /** Bytes of arguments and results of functions, and items of lists, including output; an item counts many. */
  maxBytes: number;
}

const defaultTemplateLimits: TemplateLimits = { maxSteps: 1_000_000, maxBytes: 24_000_000 };

/** The cost of an item in memory, and in time. */
const BYTES_PER_ITEM = 24;

/** What is left of steps and bytes, and their limits; or how much executions changed these. */
export type TemplateCost = readonly [steps: number, ofSteps: number, bytes: number, ofBytes: number];

/** Counts the cost of executions: exactly, so that a rejected template is rejected on every machine. */
export class Meter {
  /** The position in the template that is executed. */
  at = 0;
  readonly steps: Allowance;
  readonly bytes: Allowance;

  constructor({ maxSteps, maxBytes }: TemplateLimits = defaultTemplateLimits) {
    this.steps = allowance(maxSteps);
    this.bytes = allowance(maxBytes);
  }

  /** Adds to the limits. */
  allow({ maxSteps, maxBytes }: TemplateLimits): void {
    this.add([maxSteps, maxSteps, maxBytes, maxBytes]);
  }

  private add([steps, ofSteps, bytes, ofBytes]: TemplateCost): void {
    Object.assign(this.steps, { left: this.steps.left + steps, of: this.steps.of + ofSteps });
    Object.assign(this.bytes, { left: this.bytes.left + bytes, of: this.bytes.of + ofBytes });
  }

  /** Returns what is left, or the cost since an earlier result. */
  cost(since: TemplateCost = [0, 0, 0, 0]): TemplateCost {
    const { steps, bytes } = this;
    return [steps.left - since[0], steps.of - since[1], bytes.left - since[2], bytes.of - since[3]];
  }

  /** Adds the cost of other executions. Returns false if it would be exceeded; then nothing changes. */
  replay(cost: TemplateCost): boolean {
    if (this.steps.left + cost[0] < 0 || this.bytes.left + cost[2] < 0) return false;
    this.add(cost);
    return true;
  }

  /** A character that is processed separately is a step. @throws TemplateError (budget) */
  spendSteps(count: number): void {
    if (!spend(this.steps, count)) throw this.exceeded(this.steps, 'steps');
  }

  /** Counts bytes before they are created. @throws TemplateError (budget) */
  spendBytes(count: number): void {
    if (!spend(this.bytes, count)) throw this.exceeded(this.bytes, 'bytes of text, or as much in lists and maps');
  }

  /** Counts list items or map entries before they are created. @throws TemplateError (budget) */
  spendItems(count: number): void {
    this.spendBytes(count * BYTES_PER_ITEM);
  }

  private exceeded({ of }: Allowance, what: string): TemplateError {
    return new TemplateError('budget', `the template takes more than ${of} ${what}`, this.at);
  }
}
