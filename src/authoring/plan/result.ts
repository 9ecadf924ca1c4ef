import type { Report, Text } from '../../core/diagnostics/index.ts';
import type { Source } from '../../core/model/object.ts';
import type { Path } from '../../core/model/value.ts';
import type { FieldChange, Hunk, ObjectChange } from '../diff/index.ts';
import type { Reviewed } from '../review/index.ts';
import type { Application, Fate } from './application.ts';
import type { Danger, ImageChange } from './dangers/index.ts';

/** A changed object: its identity in both versions, and its changed fields. */
export interface PlannedChange {
  application: Application;
  change: ObjectChange['change'];
  before?: Identified;
  after?: Identified;
  fields: FieldChange[];
  /** What happens in the cluster to a removed object, and to all objects of a suspended application. */
  fate?: Fate;
  /** What is lost with a removed object: its images, hosts, size. */
  loss?: Text | undefined;
}

/** `object` has no more than its identity. */
type Identified = Pick<Reviewed, 'object' | 'nameless'>;

/** Equal changes with one cause. */
export interface ChangeGroup {
  cause: Cause;
  change: ObjectChange['change'];
  /** What happens to the objects in the cluster, if they are not just deleted. */
  fate?: Fate;
  kind: string;
  changes: readonly PlannedChange[];
  /** The differences of the first one; empty for removed objects. */
  hunks: readonly Hunk[];
}

/** The cause of a change: a changed RGD, or else the instance of the object. */
export interface Cause {
  /** `RGD webapp (platform/webapp.yaml:40)`, or the instance; '' for plain manifests. */
  text: Text;
  isRgd: boolean;
  /** The field of the RGD, and its line. */
  at?: { source: Source; path: Path; line?: number };
}

/** The changes of one application. */
export interface PlannedApplication {
  application: Application;
  /** Whether the whole application is added or removed. */
  event?: 'added' | 'removed';
  changes: readonly PlannedChange[];
  /** Why one of its versions is not rendered. */
  error?: Text;
  /** It is valid, but cannot be rendered here. */
  isForeign?: true;
  /** It is not rendered, but neither it nor a file that it may read changes. */
  isUnaffected?: true;
}

export interface PlannedDanger extends Danger {
  application: Application;
  /** Undefined for dangers of a definition. */
  change?: PlannedChange;
  /** The field of the RGD that causes it. */
  at?: { source: Source; path: Path };
  /** The reason of an entry in a render-rgd.yaml that accepts it. */
  accepted?: Text;
}

export interface Plan {
  /** Changed and unrendered ones: errors first, then those that lose most. */
  applications: readonly PlannedApplication[];
  /** The number of applications, and of those that were compared. */
  found: number;
  compared: number;
  /** Equal changes of all applications with one cause, the most destructive first. */
  groups: readonly ChangeGroup[];
  /** The worst first. */
  dangers: readonly PlannedDanger[];
  /** The images that changed objects get, lose and replace. */
  images: readonly ImageChange[];
  /** The errors and the new patches of Graphs of the newer version, and what its admission policies did not decide. */
  reports: readonly Report[];
}
