import { EACH, formatPath, type Step } from '../../../core/model/path.ts';

/** The origin of a value: a variable of the expression and the path from it. */
export interface Place {
  readonly root: string;
  readonly path: readonly Step[];
  /** The number of steps that must exist; steps after an optional one (`.?`, `[?]`, `has()`) need not. */
  readonly needed: number;
  /** The position of the name that the expression reads: the variable, or one that stands for it. */
  readonly offset: number;
}

/** One read of an expression. */
export interface Read extends Place {
  /** The whole value is read; otherwise only its existence and its number of elements. */
  readonly whole: boolean;
}

/** The possible origins of a sub-expression; a computed value has none. */
export interface Flow {
  readonly places: readonly Place[];
  /** The origins of the elements, if the list is a literal in the expression. */
  readonly elements?: Flow;
}

export const NOWHERE: Flow = { places: [] };

export function union(flows: readonly Flow[]): Flow {
  const places = flows.flatMap((flow) => flow.places);
  const elements = flows.flatMap((flow) => flow.elements ?? []);
  return elements.length === 0 ? { places } : { places, elements: union(elements) };
}

/** Moves a flow to the position of a name that stands for it. */
export const movedTo = (offset: number, { places, elements }: Flow): Flow => ({
  places: places.map((place) => ({ ...place, offset })),
  ...(elements && { elements: movedTo(offset, elements) }),
});

/** Adds a step: into a field, or into the elements. */
export function into(flow: Flow, step: Step, optional: boolean): Flow {
  const places = flow.places.map((place): Place => {
    const { path, needed } = place;
    const isNeeded = !optional && needed === path.length;
    return { ...place, path: [...path, step], needed: isNeeded ? needed + 1 : needed };
  });
  return typeof step === 'string' || flow.elements === undefined ? { places } : union([{ places }, flow.elements]);
}

/** Formats a path, with `[*]` for every element: `status.subnets[*].id`. */
export function formatSteps(path: readonly Step[]): string {
  return path.reduce<string>((text, step) => {
    const written = step === EACH ? '[*]' : formatPath([step]);
    return text === '' || written.startsWith('[') ? text + written : `${text}.${written}`;
  }, '');
}

/** Reports whether a part of the path may be missing. */
export const isOptional = ({ path, needed }: Pick<Place, 'path' | 'needed'>): boolean => needed < path.length;
