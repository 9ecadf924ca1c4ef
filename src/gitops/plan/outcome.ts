import type { Report, Text } from '../../core/diagnostics/index.ts';
import type { Application, Fate } from './application.ts';
import type { Declaration } from './discover/index.ts';

/** A declaration of both versions; one of them is missing if it is added or removed. */
export interface DeclarationPair {
  old: Declaration | undefined;
  newer: Declaration | undefined;
}

/** What becomes of a declaration in the cluster. */
export type Outcome =
  /** The newer one is applied. */
  | { is: 'applied'; asWritten?: Text }
  /** The older one stays as it is, and follows its source. */
  | { is: 'kept'; problem?: Problem }
  /** It is gone, with what it applied, as `fate` says. */
  | { is: 'gone'; fate?: Fate; asWritten?: Text }
  /** It was not in the cluster before. */
  | { is: 'new' }
  /** Nobody knows: what applies it is not built. */
  | { is: 'unknown'; reason: Text }
  /** It is in neither cluster. */
  | { is: 'nowhere'; problem?: Problem };

/** Why the newer version of a declaration is not applied. */
export interface Problem {
  application: Application;
  message: Text;
  report?: Report;
}
