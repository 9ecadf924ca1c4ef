import { type Collector, phrase, reporterFor } from '../core/diagnostics/index.ts';
import { type Document, type InputObject, isKubeObject } from '../core/model/object.ts';
import { isResourceSet } from './kinds.ts';

/**
 * The objects of a file that was named, as `flux-operator build rset -f` reads it: where its first document is a
 * ResourceSet, no other ResourceSet of the file counts. That is a rule of this command alone, for those who come from
 * it: a cluster takes all of them, and so folders, standard input, functions and the plugin read files to their end.
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
