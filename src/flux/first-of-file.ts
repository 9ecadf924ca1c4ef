import { type Collector, phrase, reporterFor } from '../core/diagnostics/index.ts';
import { type Document, type InputObject, isKubeObject } from '../core/model/object.ts';
import { isResourceSet } from './kinds.ts';

/**
 * Returns the objects of a named file, as `flux-operator build rset -f` reads it: if its first document is a
 * ResourceSet, other ResourceSets of the file are ignored. The rule applies to this command only, for compatibility: a
 * cluster accepts all of them, and so folders, standard input, functions and the plugin read files to their end.
 */
export function firstOfFile(objects: readonly Document[], reports: Collector): Document[] {
  const [first] = objects;
  if (first === undefined || !isSet(first)) return [...objects];
  return objects.filter((one) => {
    if (one === first || !isSet(one)) return true;
    const message = phrase`it is not rendered: of a file that is named on the command line only the first ResourceSet is, as flux-operator build rset -f does`;
    const hint = phrase`pass the folder of the file, pipe the file, or write each ResourceSet to its own file`;
    reporterFor(one, reports).report({
      code: 'resourceset-left-out',
      message,
      path: ['kind'],
      severity: 'warning',
      hint,
    });
    return false;
  });
}

const isSet = (one: Document): one is InputObject => isKubeObject(one.object) && isResourceSet(one.object);
