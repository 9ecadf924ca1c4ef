import type { Problem } from '../../core/diagnostics/index.ts';
import { identityOf, type KubeObject } from '../../core/model/object.ts';

/**
 * An object that is not applied itself, but replaced by the objects that it renders: who depends on it depends on all
 * of them. A ResourceSet is one, and so is an instance that a ResourceSet renders.
 */
export interface Group {
  object: KubeObject;
  /** Its objects, step by step: applied ones, or further groups. */
  steps: readonly (readonly KubeObject[])[];
  dependencies: readonly KubeObject[];
  /** Called with a problem of its order. */
  report: (problem: Problem) => void;
}

/** A barrier between objects: everything behind it depends on everything before it. */
export interface Line {
  group: Group;
  objects: KubeObject[];
  /** Ends of groups that are before it. */
  lines: Line[];
  /** The barrier before the step that ends here; none at the start of a group. */
  previous: Line | undefined;
}

/** The barriers at the start and end of steps of groups. */
export class Lines {
  readonly all: Line[] = [];
  private readonly ends = new Map<string, Line>();
  private readonly starts = new Map<string, Line>();

  /** @param dependenciesOf returns the dependencies of the object of a group, which may have been rendered */
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

  /** Returns the barrier after all objects of a group; none for an ordinary object. */
  endOf(object: KubeObject): Line | undefined {
    return this.ends.get(identityOf(object));
  }

  /** Returns the barrier before an object that a group renders. */
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

/** Returns the objects before a barrier: those of the step that ends there, or of an earlier one if it applies none. */
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
