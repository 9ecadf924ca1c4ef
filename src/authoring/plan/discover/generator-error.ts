/** Thrown if the applications of a generator are unknown. */
export class GeneratorError extends Error {}
