import { type Report, reporterFor } from '../diagnostics/index.ts';
import { type Document, type InputObject, isKubeObject } from '../model/object.ts';
import { isResourceSet } from './kinds.ts';

/**
 * The objects of a file that was named, as `flux-operator build rset -f` reads it: where its first document is a
 * ResourceSet, no other ResourceSet of the file counts. Folders and standard input are read to their end.
 */
export function firstOfFile(objects: readonly Document[], reports: Report[]): Document[] {
  const [first] = objects;
  if (first === undefined || !isSet(first)) return [...objects];
  return objects.filter((one) => {
    if (one === first || !isSet(one)) return true;
    const message = 'it is left out: of a file that is named, the first ResourceSet is rendered alone';
    const hint = 'give it a file of its own; a folder, or standard input, is read to its end';
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
