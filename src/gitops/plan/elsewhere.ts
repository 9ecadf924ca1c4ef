import type { Value } from '../../core/model/value.ts';

/** What a repository says about a source elsewhere. */
export interface Written {
  /** The chart, and its version, or the revision of the source. */
  chart: string;
  version: string;
  /** The values of a chart. */
  values: Value;
  /** All else that is written of it. */
  rest: Value;
  /** The folder of this repository that it deploys at another revision; '' if it is in another repository. */
  path: string;
  /** The files here that have values for it. */
  files: readonly string[];
}
