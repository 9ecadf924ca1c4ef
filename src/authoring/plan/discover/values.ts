import type { Value } from '../../../core/model/value.ts';

export const textOf = (value: Value | undefined): string => (typeof value === 'string' ? value : '');

/** Returns the strings of a list. */
export const textsOf = (value: Value | undefined): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];

export const listOf = (value: Value | undefined): readonly Value[] => (Array.isArray(value) ? value : []);
