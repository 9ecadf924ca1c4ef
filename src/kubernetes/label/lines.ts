import type { Problem } from '../../core/diagnostics/index.ts';
import { identityOf, type KubeObject } from '../../core/model/object.ts';

/**
 * An object that is not applied itself, since what it makes is in its place: who comes after it comes after all of
 * that. A ResourceSet is one, and so is an instance that a ResourceSet makes.
 */
export interface Group {
  object: KubeObject;
  /** What it makes, step by step: objects that are applied, or such as stand for groups themselves. */
  steps: readonly (readonly KubeObject[])[];
  /** What all of it comes after. */
  dependencies: readonly KubeObject[];
  /** Told what is wrong with its order. */
  report: (problem: Problem) => void;
}

/** A line between objects: who is behind it comes after all that is before it. */
export interface Line {
  group: Group;
  objects: KubeObject[];
  /** Ends of groups among what is before it. */
  lines: Line[];
  /** The line before the step that ends here; none where a group begins. */
  previous: Line | undefined;
}

/** The lines at which steps of groups begin and end. */
export class Lines {
  readonly all: Line[] = [];
  private readonly ends = new Map<string, Line>();
  private readonly starts = new Map<string, Line>();

  /** @param dependenciesOf what the object of a group, which may have been rendered, comes after */
  constructor(groups: readonly Group[], dependenciesOf: (object: KubeObject) => readonly KubeObject[]) {
    const lines = groups.map((group) => this.addSteps(group));
    groups.forEach((group, index) => {
      const [first, ...others] = lines[index] as [Line, ...Line[]];
      for (const one of [...group.dependencies, ...dependenciesOf(group.object)]) this.put(one, first);
      const outer = this.before(group.object);
      if (outer !== undefined) first.lines.push(outer);
      stepsOf(group).forEach((step, at) => {
        for (const one of step) this.put(one, others[at] as Line);
      });
    });
  }

  /** The line behind all that is in the place of an object; none for an object that stands for itself. */
  endOf(object: KubeObject): Line | undefined {
    return this.ends.get(identityOf(object));
  }

  /** The line that the maker of an object puts before it. */
  before(object: KubeObject): Line | undefined {
    return this.starts.get(identityOf(object));
  }

  private addSteps(group: Group): Line[] {
    const lines: Line[] = [{ group, objects: [], lines: [], previous: undefined }];
    for (const members of stepsOf(group)) {
      const previous = lines.at(-1) as Line;
      for (const object of members) this.starts.set(identityOf(object), previous);
      lines.push({ group, objects: [], lines: [], previous });
    }
    for (const line of lines) this.all.push(line);
    this.ends.set(identityOf(group.object), lines.at(-1) as Line);
    return lines;
  }

  private put(object: KubeObject, { objects, lines }: Line): void {
    const end = this.endOf(object);
    if (end === undefined) objects.push(object);
    else lines.push(end);
  }
}

const stepsOf = ({ steps }: Group): Group['steps'] => steps.filter((step) => step.length > 0);

/** The objects right before a line: those of the step that ends there, or of an earlier one where it applies none. */
export function objectsBefore(line: Line, isApplied: (object: KubeObject) => boolean): KubeObject[] {
  const found = new Set<KubeObject>();
  const seen = new Set<Line>();
  const earlier: Line[] = [];
  for (let ahead = [line]; ahead.length > 0; ahead = found.size > 0 ? [] : earlier.splice(0)) {
    for (let one = ahead.pop(); one !== undefined; one = ahead.pop()) {
      if (seen.has(one)) continue;
      seen.add(one);
      for (const object of one.objects) if (isApplied(object)) found.add(object);
      for (const line of one.lines) ahead.push(line);
      if (one.previous !== undefined) earlier.push(one.previous);
    }
  }
  return [...found];
}
