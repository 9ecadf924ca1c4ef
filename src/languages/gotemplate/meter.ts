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

/** What is left for executions, or what some of them took. */
export type TemplateCost = Pick<Meter, 'steps' | 'bytes'>;

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
  allow(limits: TemplateLimits): void {
    this.add(new Meter(limits));
  }

  private add({ steps, bytes }: TemplateCost): void {
    Object.assign(this.steps, sum(this.steps, steps, 1));
    Object.assign(this.bytes, sum(this.bytes, bytes, 1));
  }

  /** A copy of what is left. */
  get state(): TemplateCost {
    return { steps: { ...this.steps }, bytes: { ...this.bytes } };
  }

  /** Returns what it took, and what it was allowed, since one of its states. */
  costSince({ steps, bytes }: TemplateCost): TemplateCost {
    return { steps: sum(this.steps, steps, -1), bytes: sum(this.bytes, bytes, -1) };
  }

  /** Adds the cost of another meter. Returns false if it would be exceeded; then nothing changes. */
  replay(cost: TemplateCost): boolean {
    if (this.steps.left + cost.steps.left < 0 || this.bytes.left + cost.bytes.left < 0) return false;
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

const sum = (a: Allowance, b: Allowance, sign: 1 | -1): Allowance => ({
  left: a.left + sign * b.left,
  of: a.of + sign * b.of,
});
