import type { Report } from '../../core/diagnostics/index.ts';
import type { Source } from '../../core/model/object.ts';
import type { Path } from '../../core/model/value.ts';
import type { Hunk, ObjectChange } from '../diff/index.ts';
import type { Application } from './application.ts';
import type { Danger } from './dangers/index.ts';

/** Changes that are alike and have one cause. */
export interface ChangeGroup {
  /** `RGD webapp (platform/webapp.yaml:40)`, or where the objects come from. */
  cause: string;
  change: ObjectChange['change'];
  kind: string;
  changes: readonly { application: Application; change: ObjectChange }[];
  /** What differs, of the first one. */
  hunks: readonly Hunk[];
}

/** What a change does to one application. */
export interface PlannedApplication {
  application: Application;
  changes: readonly ObjectChange[];
  /** The ids of the instances that it has in both versions. */
  kept: ReadonlySet<string>;
  /** Why one of its versions is not rendered. */
  error?: string;
  /** Nothing is wrong with it, but it cannot be rendered here. */
  isForeign?: true;
}

export interface PlannedDanger extends Danger {
  application: Application;
  /** Undefined for what is about a definition. */
  change?: ObjectChange;
  /** The field of the RGD that causes it. */
  at?: { source: Source; path: Path };
}

export interface Plan {
  /** Those that change and those that are not rendered, sorted by kind and name. */
  applications: readonly PlannedApplication[];
  /** How many applications were found. */
  found: number;
  /** Changes of all applications that have one cause and are alike. */
  groups: readonly ChangeGroup[];
  dangers: readonly PlannedDanger[];
  /** What is wrong with the newer version. */
  reports: readonly Report[];
}
