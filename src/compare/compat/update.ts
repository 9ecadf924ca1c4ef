/** What kro does with the update of an RGD that defines the same kind. */
import { ALLOW_BREAKING_CHANGES } from '../../core/model/keys.ts';
import { annotationOf } from '../../core/model/object.ts';
import { equal, getAt, type Path, type Value } from '../../core/model/value.ts';
import type { Graph } from '../../kro/compile/index.ts';
import { isAlwaysRewritten } from '../../kro/simpleschema/index.ts';
import { type Checks, compareSchemas, type SchemaChange } from './changes.ts';

export const SCHEMA: Path = ['spec', 'schema'];

/** What kro does with the update of an RGD that defines the same kind. */
export interface Update {
  checks: Checks;
  changes: readonly SchemaChange[];
  /** Changes of the CRD outside of its schema. */
  others: readonly DefinitionChange[];
  /** Whether the RGD has the annotation that lets breaking changes pass. */
  isAllowed: boolean;
  /** Whether kro finds a change of a default each time, without one. */
  isAlwaysWritten: boolean;
  /** Whether one of the changes is one that kro compares: otherwise it does not write the CRD. */
  isWritten: boolean;
}

/** Returns all changes of the CRD, and what kro makes of them (0.9.4: pkg/client/crd.go, Ensure). */
export function updateOf(before: Graph, after: Graph, checks: Checks): Update {
  const changes = compareSchemas(before.schema, after.schema, checks);
  const others = DEFINITION.filter(({ of }) => !equal(of(before), of(after)));
  const isAlwaysWritten = isAlwaysRewritten(after.schema);
  return {
    checks,
    changes,
    others,
    isAlwaysWritten,
    isAllowed: annotationOf(after.input.object, ALLOW_BREAKING_CHANGES) === 'true',
    isWritten: isAlwaysWritten || [...changes, ...others].some(({ isCompared }) => isCompared),
  };
}

/** A change of a part of the CRD outside of its schema. */
interface DefinitionChange {
  change: string;
  /** Its place in the RGD. */
  path: Path;
  what: string;
  isCompared: boolean;
}

/** Parts of a CRD outside of its schema that may change: kro writes all, and compares not all of them. */
const DEFINITION: readonly (DefinitionChange & { of: (graph: Graph) => Value })[] = [
  {
    change: 'printer-columns-changed',
    path: [...SCHEMA, 'additionalPrinterColumns'],
    what: 'other columns are printed (printer-columns-changed)',
    isCompared: true,
    of: ({ crd }) => getAt(crd, ['spec', 'versions', 0, 'additionalPrinterColumns']) ?? [],
  },
  {
    change: 'short-names-changed',
    path: [...SCHEMA, 'shortNames'],
    what: 'the kind has other short names (short-names-changed)',
    isCompared: true,
    of: ({ crd }) => getAt(crd, ['spec', 'names', 'shortNames']) ?? [],
  },
  {
    change: 'categories-changed',
    path: [...SCHEMA, 'categories'],
    what: 'the kind has other categories (categories-changed)',
    isCompared: true,
    of: ({ crd }) => getAt(crd, ['spec', 'names', 'categories']) ?? [],
  },
  {
    change: 'crd-metadata-changed',
    path: [...SCHEMA, 'metadata'],
    what: 'the CRD has other labels or annotations (crd-metadata-changed)',
    isCompared: false,
    of: ({ crd }) => [getAt(crd, ['metadata', 'labels']) ?? {}, getAt(crd, ['metadata', 'annotations']) ?? {}],
  },
];

/** The names of all changes outside of a schema. */
export const DEFINITION_CHANGES: readonly string[] = DEFINITION.map(({ change }) => change);
