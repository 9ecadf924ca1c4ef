import type { Secrecy } from '../../core/redaction/index.ts';
import type { InstanceRun } from './run.ts';

/** The secrecy of nodes, by run and index; `open` while it is computed. */
export type KnownSecrecy = Map<InstanceRun, Map<number, Secrecy | 'open'>>;

/** What a world computes on demand and keeps. A world with other objects needs caches of its own. */
export interface Caches {
  /** What templates render, and whole objects, of nodes that do not change any more. */
  readonly desired: KnownSecrecy;
  readonly whole: KnownSecrecy;
  /** The Secrets that are written out in a template or an object. */
  readonly written: WeakMap<object, Secrecy>;
}

export const createCaches = (): Caches => ({ desired: new Map(), whole: new Map(), written: new WeakMap() });
