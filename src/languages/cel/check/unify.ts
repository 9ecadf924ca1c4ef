/** Assignability of types with type variables, by unification, as in the checker of cel-go. */
import { type CelType, DYN, ERROR, mapParts, partsOf, type TypeParam } from '../types.ts';

/** The current bindings of the type variables of one check. */
export interface Substitutions {
  /** Reports whether a value of type `source` is assignable to `target`; binds variables on success only. */
  assignable(target: CelType, source: CelType): boolean;
  assignableAll(targets: readonly CelType[], sources: readonly CelType[]): boolean;
  /** Returns the type with bound variables replaced; free ones stay, or become dyn at the end of the check. */
  resolve(type: CelType, freeToDyn?: boolean): CelType;
  fresh(): TypeParam;
}

export function substitutions(): Substitutions {
  const bound = new Map<string, CelType>();
  /** The previous bindings, to undo a failed attempt. */
  const undo: [string, CelType | undefined][] = [];
  let counter = 0;

  const bind = (name: string, type: CelType): void => {
    undo.push([name, bound.get(name)]);
    bound.set(name, type);
  };

  const attempt = (run: () => boolean): boolean => {
    undo.length = 0;
    if (run()) return true;
    for (const [name, before] of undo.reverse()) {
      if (before === undefined) bound.delete(name);
      else bound.set(name, before);
    }
    return false;
  };

  const fits = (target: CelType, source: CelType): boolean => {
    if (target === source) return true;
    if (source.kind === 'param') {
      const answer = substitute(target, source);
      if (answer.valid) return true;
      if (answer.known) return false;
    }
    if (target.kind === 'param') return substitute(source, target).valid;
    if (isDynOrError(target) || isDynOrError(source)) return true;
    if (target.kind === 'null') return isNullable(source);
    if (source.kind === 'null') return isNullable(target);
    return sameShape(target, source);
  };

  const sameShape = (target: CelType, source: CelType): boolean => {
    if (source.kind !== target.kind) return false;
    if ('name' in target && 'name' in source) return source.name === target.name;
    const parts = partsOf(source);
    return target.kind === 'type' || partsOf(target).every((part, index) => fits(part, parts[index] ?? ERROR));
  };

  /** Reports whether the variable may be bound to the type; `known` if it is bound already. */
  const substitute = (type: CelType, variable: TypeParam): { valid: boolean; known: boolean } => {
    if (type.kind === 'param' && type.name === variable.name) return { valid: true, known: true };
    const current = bound.get(variable.name);
    if (current !== undefined) {
      if (exact(type, current)) return { valid: true, known: true };
      if (!fits(type, current)) return { valid: false, known: true };
      const general = mostGeneral(type, current);
      if (!occurs(variable.name, general)) bind(variable.name, general);
      return { valid: true, known: true };
    }
    if (occurs(variable.name, type)) return { valid: false, known: false };
    bind(variable.name, type);
    return { valid: true, known: false };
  };

  const occurs = (name: string, type: CelType): boolean => {
    if (type.kind === 'param') {
      if (type.name === name) return true;
      const current = bound.get(type.name);
      return current !== undefined && occurs(name, current);
    }
    return partsOf(type).some((part) => occurs(name, part));
  };

  const resolve = (type: CelType, freeToDyn = false): CelType => {
    if (type.kind === 'param') {
      const current = bound.get(type.name);
      if (current !== undefined) return resolve(current, freeToDyn);
      return freeToDyn ? DYN : type;
    }
    return mapParts(type, (part) => resolve(part, freeToDyn));
  };

  return {
    assignable: (target, source) => attempt(() => fits(target, source)),
    assignableAll: (targets, sources) =>
      targets.length === sources.length &&
      attempt(() => targets.every((target, index) => fits(target, sources[index] ?? ERROR))),
    resolve,
    fresh: () => ({ kind: 'param', name: `_var${counter++}` }),
  };
}

export const isDynOrError = (type: CelType): boolean => type.kind === 'dyn' || type === ERROR;

/** null is assignable to messages, library types, durations, timestamps and optionals, but not to lists or scalars. */
const NULLABLE: ReadonlySet<CelType['kind']> = new Set([
  'null',
  'object',
  'opaque',
  'optional',
  'duration',
  'timestamp',
]);
const isNullable = (type: CelType): boolean => NULLABLE.has(type.kind);

/** Reports whether two types are equal, variables by name. */
export function exact(a: CelType, b: CelType): boolean {
  if (a === b) return true;
  if (a.kind !== b.kind) return false;
  if ('name' in a && 'name' in b) return a.name === b.name;
  const [left, right] = [partsOf(a), partsOf(b)];
  return left.every((part, index) => exact(part, right[index] ?? ERROR));
}

/** Returns the more general of two matching types. */
export const mostGeneral = (a: CelType, b: CelType): CelType => (isLessSpecific(a, b) ? a : b);

function isLessSpecific(a: CelType, b: CelType): boolean {
  if (a.kind === 'dyn' || a.kind === 'param') return true;
  if (b.kind === 'dyn' || b.kind === 'param' || a.kind !== b.kind) return false;
  if (a.kind === 'type') return true;
  if ('name' in a && 'name' in b) return a.name === b.name;
  const [left, right] = [partsOf(a), partsOf(b)];
  return left.every((part, index) => isLessSpecific(part, right[index] ?? ERROR));
}
