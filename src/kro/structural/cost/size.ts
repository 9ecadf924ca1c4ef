/** The maximum size of a value: characters, bytes, items or entries. */
export interface Size {
  min: number;
  max: number;
}

export const UNKNOWN: Size = { min: 0, max: Number.POSITIVE_INFINITY };
export const fixed = (size: number): Size => ({ min: size, max: size });

/** Multiplies; zero times infinity is zero. */
export const times = (a: number, b: number): number => (a === 0 || b === 0 ? 0 : a * b);
