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

/**
 * Counts the cost of executions. Counting is exact and the same on every machine, so that a rejected template is
 * rejected everywhere. `at` is the byte of the template that is executed.
 */
export interface MeterState extends TemplateLimits {
  steps: number;
  bytes: number;
}

export class Meter {
  steps = 0;
  bytes = 0;
  at = 0;
  private readonly limits: TemplateLimits;
  constructor(limits: TemplateLimits = defaultTemplateLimits) {
    this.limits = { ...limits };
  }

  /** Adds to the limits. */
  allow({ maxSteps, maxBytes }: TemplateLimits): void {
    this.limits.maxSteps += maxSteps;
    this.limits.maxBytes += maxBytes;
  }

  /** The counts so far, and the limits. */
  get state(): MeterState {
    const { steps, bytes } = this;
    return { steps, bytes, ...this.limits };
  }

  /**
   * Adds the counts and limits of another meter between two of its states, in which it was never exceeded. Returns
   * false if this one would be; then nothing changes.
   */
  replay(before: MeterState, after: MeterState): boolean {
    const limits = {
      maxSteps: this.limits.maxSteps + after.maxSteps - before.maxSteps,
      maxBytes: this.limits.maxBytes + after.maxBytes - before.maxBytes,
    };
    const steps = this.steps + after.steps - before.steps;
    const bytes = this.bytes + after.bytes - before.bytes;
    if (steps > limits.maxSteps || bytes > limits.maxBytes) return false;
    Object.assign(this.limits, limits);
    this.steps = steps;
    this.bytes = bytes;
    return true;
  }

  /** @throws TemplateError (budget) */
  spendSteps(count: number): void {
    this.steps += count;
    if (this.steps > this.limits.maxSteps) throw this.exceeded(this.limits.maxSteps, 'steps');
  }

  /** Counts characters that are processed separately, which takes many times as long as a copy. */
  spendCharacters(count: number): void {
    this.spendSteps(count);
  }

  /** Counts bytes before they are created. @throws TemplateError (budget) */
  spendBytes(count: number): void {
    this.bytes += count;
    if (this.bytes > this.limits.maxBytes)
      throw this.exceeded(this.limits.maxBytes, 'bytes of text, or as much in lists and maps');
  }

  /** Counts list items or map entries before they are created. @throws TemplateError (budget) */
  spendItems(count: number): void {
    this.spendBytes(count * BYTES_PER_ITEM);
  }

  private exceeded(limit: number, what: string): TemplateError {
    return new TemplateError('budget', `the template takes more than ${limit} ${what}`, this.at);
  }
}
