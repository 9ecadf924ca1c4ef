/** Annotations for the role of an object. */
import { MODE, OBSERVED } from './keys.ts';
import { annotationOf, type KubeObject } from './object.ts';

/** Reports whether an object is left to a controller, and passes through unchanged. */
export const isPassthrough = (object: KubeObject): boolean => annotationOf(object, MODE) === 'passthrough';

export const isObserved = (object: KubeObject): boolean => annotationOf(object, OBSERVED) === 'true';
