import type { GoValue } from '../values/values.ts';

/** The variables of an executing template; the innermost of equal names wins. */
export class Variables {
  private readonly names: string[];
  private readonly values: GoValue[];

  constructor(dot: GoValue) {
    this.names = ['$'];
    this.values = [dot];
  }

  /** Returns their number: `restore` removes later ones. */
  mark(): number {
    return this.names.length;
  }

  restore(mark: number): void {
    this.names.length = mark;
    this.values.length = mark;
  }

  declare(name: string, value: GoValue): void {
    this.names.push(name);
    this.values.push(value);
  }

  /** Sets the variable `depth - 1` below the last one. */
  setTop(depth: number, value: GoValue): void {
    this.values[this.values.length - depth] = value;
  }

  /** @returns whether there is such a variable */
  assign(name: string, value: GoValue): boolean {
    const at = this.names.lastIndexOf(name);
    if (at >= 0) this.values[at] = value;
    return at >= 0;
  }

  get(name: string): GoValue | undefined {
    return this.values[this.names.lastIndexOf(name)];
  }
}
