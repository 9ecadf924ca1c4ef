import type { KubeObject } from '../../../core/model/object.ts';
import type { Application } from '../application.ts';

/** An object that declares applications, and where it comes from. */
export interface Declaration {
  object: KubeObject;
  /** The file or the application that contains it. */
  place: string;
  /** Its file, if no rendering changed it. */
  file?: string;
  /** The application whose rendering contains it. */
  parent?: Application;
  /** The folder of the files of its cluster, for Flux. */
  cluster: string;
  applications: readonly Application[];
  /** What an ApplicationSet generates, by its name. */
  generated?: ReadonlyMap<string, KubeObject>;
  /** Why the API server rejects it: the object in the cluster stays as it is. */
  refused?: string;
  /** It lacks what every object of its kind has, so that it may be a part of one, such as a patch. */
  isPart?: true;
}

/** Where an object that declares applications is. */
export type Origin = Pick<Declaration, 'place' | 'file' | 'parent'> & { cluster?: string | undefined };

/** Returns what an object declares. */
export type ReadDeclarations = (object: KubeObject, origin: Origin) => Declaration[];
