import type { Report, Text } from '../../core/diagnostics/index.ts';
import type { Source } from '../../core/model/object.ts';
import type { Path } from '../../core/model/value.ts';
import type { Hunk, ObjectChange } from '../diff/index.ts';
import type { Application } from './application.ts';
import type { Danger } from './dangers/index.ts';

/** Equal changes with one cause. */
export interface ChangeGroup {
  /** `RGD webapp (platform/webapp.yaml:40)`, or the source of the objects. */
  cause: Text;
  change: ObjectChange['change'];
  kind: string;
  changes: readonly { application: Application; change: ObjectChange }[];
  /** The differences of the first one. */
  hunks: readonly Hunk[];
}

/** The changes of one application. */
export interface PlannedApplication {
  application: Application;
  changes: readonly ObjectChange[];
  /** The ids of the instances that both versions have. */
  kept: ReadonlySet<string>;
  /** Why one of its versions is not rendered. */
  error?: Text;
  /** It is valid, but cannot be rendered here. */
  isForeign?: true;
}

export interface PlannedDanger extends Danger {
  application: Application;
  /** Undefined for dangers of a definition. */
  change?: ObjectChange;
  /** The field of the RGD that causes it. */
  at?: { source: Source; path: Path };
}

export interface Plan {
  /** Changed and unrendered ones, sorted by kind and name. */
  applications: readonly PlannedApplication[];
  /** The number of applications. */
  found: number;
  /** Equal changes of all applications with one cause. */
  groups: readonly ChangeGroup[];
  dangers: readonly PlannedDanger[];
  /** The errors of the newer version. */
  reports: readonly Report[];
}
