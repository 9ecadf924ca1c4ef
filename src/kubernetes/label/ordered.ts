import type { Problem } from '../../core/diagnostics/index.ts';
import type { KubeObject } from '../../core/model/object.ts';

/** An object and its dependencies in the package, rendered or not. */
export interface Ordered {
  object: KubeObject;
  dependencies: readonly KubeObject[];
  /** Called with a problem of its order. */
  reportOrder: OrderReporter;
}

/**
 * Called with a problem of the order of an object, and the other object: `undefined` for a plain object of the package.
 * The path starts at the object; the message quotes the name of the other one and the annotations of both.
 */
export type OrderReporter = (object: Ordered, problem: Problem, other: Ordered | undefined) => void;
