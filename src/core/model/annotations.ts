/** Annotations that say what an object is for. */
import { MODE, OBSERVED } from './keys.ts';
import { annotationOf, type KubeObject } from './object.ts';

/** Whether an object is left to a controller, and passes through as it is. */
export const isPassthrough = (object: KubeObject): boolean => annotationOf(object, MODE) === 'passthrough';

/** Whether an object is a live one. */
export const isObserved = (object: KubeObject): boolean => annotationOf(object, OBSERVED) === 'true';
