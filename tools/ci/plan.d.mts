import type { Step } from './schedule.mjs';

export const BUILD: readonly Pick<Step, 'command' | 'kind'>[];

export const GROUPS: Readonly<Record<string, readonly Step[]>>;

export function stepsOf(asked: readonly string[]): readonly Step[];
