import { EACH, formatPath, type Step } from '../../../core/model/path.ts';

/** Where a value comes from: a variable of the expression and the way from it. */
export interface Place {
  readonly root: string;
  readonly path: readonly Step[];
  /** How many steps have to be there; behind an optional one (`.?`, `[?]`, `has()`) nothing has to. */
  readonly needed: number;
}

/** One thing that an expression looks at. */
export interface Read extends Place {
  /** The whole value counts; else only whether it is there, and how many elements it has. */
  readonly whole: boolean;
}

/** Where the value of a sub-expression may come from; a value that was computed comes from nowhere. */
export interface Flow {
  readonly places: readonly Place[];
  /** Where the elements come from, when the list itself was written in the expression. */
  readonly elements?: Flow;
}

export const NOWHERE: Flow = { places: [] };

export function union(flows: readonly Flow[]): Flow {
  const places = flows.flatMap((flow) => flow.places);
  const elements = flows.flatMap((flow) => flow.elements ?? []);
  return elements.length === 0 ? { places } : { places, elements: union(elements) };
}

/** One step further: into a field, or into the elements. */
export function into(flow: Flow, step: Step, optional: boolean): Flow {
  const places = flow.places.map((place): Place => {
    const { root, path, needed } = place;
    const isNeeded = !optional && needed === path.length;
    return { root, path: [...path, step], needed: isNeeded ? needed + 1 : needed };
  });
  return typeof step === 'string' || flow.elements === undefined ? { places } : union([{ places }, flow.elements]);
}

/** A path as people write it, `[*]` for every element: `status.subnets[*].id`. */
export function formatSteps(path: readonly Step[]): string {
  return path.reduce<string>((text, step) => {
    const written = step === EACH ? '[*]' : formatPath([step]);
    return text === '' || written.startsWith('[') ? text + written : `${text}.${written}`;
  }, '');
}

/** Whether something may be missing on the way. */
export const isOptional = ({ path, needed }: Pick<Place, 'path' | 'needed'>): boolean => needed < path.length;
