import { annotationOf, type KubeObject } from './object.ts';

/** The annotation of RGDs, instances and ResourceSets that says who renders them. */
export const MODE = 'render-rgd.dev/mode';

/** Whether an object is left to a controller, and passes through as it is. */
export const isPassthrough = (object: KubeObject): boolean => annotationOf(object, MODE) === 'passthrough';
