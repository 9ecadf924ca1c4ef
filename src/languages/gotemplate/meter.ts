import { TemplateError } from './fault.ts';

/** What executing templates may take. */
export interface TemplateLimits {
  /** Actions, calls and rounds of loops. */
  maxSteps: number;
  /** Bytes of texts that functions take and make, and items of lists, output included; an item counts many. */
  maxBytes: number;
}

export const defaultTemplateLimits: TemplateLimits = { maxSteps: 1_000_000, maxBytes: 24_000_000 };

/** How deep templates may call each other. */
export const MAX_TEMPLATE_DEPTH = 200;
/** How deep parentheses and blocks may be in each other, and values in values. */
export const MAX_NESTING = 200;

/** What an item takes in memory, and in time. */
const BYTES_PER_ITEM = 24;

/**
 * Counts what executions take. Counting is exact and the same on every machine, so that a template which is refused is
 * refused everywhere. `at` is the byte of the template that is executed.
 */
/** What a meter has counted. */
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

  /** Adds to what may be taken. */
  allow({ maxSteps, maxBytes }: TemplateLimits): void {
    this.limits.maxSteps += maxSteps;
    this.limits.maxBytes += maxBytes;
  }

  /** What was spent so far, and what may be. */
  get state(): MeterState {
    const { steps, bytes } = this;
    return { steps, bytes, ...this.limits };
  }

  /**
   * Spends, and allows, what another meter did between two of its states, in which it was never exceeded. False where
   * this one would be; then nothing happens.
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

  /** Counts characters that are looked at each for itself, which takes many times as long as a copy of them. */
  spendCharacters(count: number): void {
    this.spendSteps(count);
  }

  /** Counts bytes about to be made. @throws TemplateError (budget) */
  spendBytes(count: number): void {
    this.bytes += count;
    if (this.bytes > this.limits.maxBytes)
      throw this.exceeded(this.limits.maxBytes, 'bytes of text, or as much in lists and maps');
  }

  /** Counts list items or map entries about to be made. @throws TemplateError (budget) */
  spendItems(count: number): void {
    this.spendBytes(count * BYTES_PER_ITEM);
  }

  private exceeded(limit: number, what: string): TemplateError {
    return new TemplateError('budget', `the template takes more than ${limit} ${what}`, this.at);
  }
}
