import type { KubeObject } from '../../core/model/object.ts';
import type { Denial, Missing } from './evaluate.ts';
import type { Binding, Policy } from './read.ts';

/** A change of an object in a cluster: without `oldObject` it is created, without `object` it is deleted. */
export interface Operation {
  object?: KubeObject;
  oldObject?: KubeObject;
}

/** What a policy decides about an operation; a policy that admits it has no decision. */
export type Decision = { policy: Policy; binding: Binding } & (
  | { action: 'Deny' | 'Warn' | 'Audit'; denial: Denial; usesSecret: boolean }
  | { undecided: Missing }
);
