import { clusters } from './clusters.ts';
import { collections } from './collections.ts';
import { graphs } from './graphs.ts';
import type { Lesson } from './lesson.ts';
import { releases } from './releases.ts';

export { type Lesson, missingFrom } from './lesson.ts';

/** The lessons, in order. */
export const lessons: readonly Lesson[] = [...collections, ...graphs, ...clusters, ...releases];
