import type { Problem } from '../../core/diagnostics/index.ts';
import type { KubeObject } from '../../core/model/object.ts';

/** An object and the objects of the package that it must come after, rendered or not. */
export interface Ordered {
  object: KubeObject;
  dependencies: readonly KubeObject[];
  /** Told what is wrong with the order of the object. */
  reportOrder: OrderReporter;
}

/**
 * Told what is wrong with the order of an object, and beside which other one: `undefined` for a plain object of the
 * package. The path starts at the object; the words quote the name of the other one and the annotations of both.
 */
export type OrderReporter = (object: Ordered, problem: Problem, other: Ordered | undefined) => void;
