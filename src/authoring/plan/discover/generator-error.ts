/** Thrown if the Applications of an ApplicationSet are unknown here. */
export class GeneratorError extends Error {}

/** Thrown if Argo CD rejects an ApplicationSet: it then changes none of its Applications. */
export class GeneratorFailure extends GeneratorError {}
