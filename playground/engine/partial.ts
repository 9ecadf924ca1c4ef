import { type Diagnostic, render } from '../../src/api/index.ts';
import { isPending } from '../../src/core/diagnostics/index.ts';
import { inputOf, optionsOf } from './package.ts';
import type { Package, PackageFile, RenderedObject } from './protocol.ts';
import { renderedObject } from './render.ts';

/** The number of renderings until the errors are omitted, or the attempt ends. */
const TRIES = 4;
const SEPARATOR = /^---(?=\s|$).*$/m;

/**
 * Returns the objects of a package that has errors, without the documents that cause them; pending nodes are skipped.
 * There are none if the errors have other causes.
 */
export function partialObjects(pack: Package, found: readonly Diagnostic[]): readonly RenderedObject[] {
  let rest = pack;
  let errors = errorsIn(found);
  const options = { ...optionsOf(pack), onPending: 'skip' as const };
  for (let tries = 0; tries < TRIES; tries += 1) {
    const without = withoutCauses(rest, errors);
    if (without === undefined) return [];
    rest = without;
    const { objects, diagnostics } = render(inputOf(rest), options);
    errors = errorsIn(diagnostics);
    if (errors.length === 0) return objects.map(renderedObject);
  }
  return [];
}

const errorsIn = (diagnostics: readonly Diagnostic[]): Diagnostic[] =>
  diagnostics.filter((one) => one.severity === 'error' && !isPending(one));

/** Removes the documents that the errors are about; undefined if an error is about none. */
function withoutCauses(pack: Package, errors: readonly Diagnostic[]): Package | undefined {
  let { files } = pack;
  for (const error of errors) {
    const left = files.map((file) => withoutCause(file, error));
    // Two errors may be about one document.
    const isGone = errors.some(
      (other) => other !== error && other.object === error.object && other.object !== undefined,
    );
    if (left.every((file, index) => file === files[index]) && !isGone) return undefined;
    files = left;
  }
  return { ...pack, files };
}

function withoutCause(file: PackageFile, { object, file: name, line = 1 }: Diagnostic): PackageFile {
  const documents = file.text.split(SEPARATOR);
  const isCause =
    object === undefined
      ? (_: string, start: number, end: number) => file.name === name && line >= start && line < end
      : (text: string) => isAbout(text, object);
  let start = 1;
  const rest = documents.filter((text) => {
    const end = start + text.split('\n').length;
    const keep = !isCause(text, start, end);
    start = end - 1;
    return keep;
  });
  return rest.length === documents.length ? file : { ...file, text: rest.join('---') };
}

/** Reports whether a document is an object of a diagnostic: `Kind/name`, or the name of an RGD. */
function isAbout(text: string, object: string): boolean {
  const [name = '', kind = 'ResourceGraphDefinition'] = object.split('/').reverse();
  return (
    fieldIs(text, /^kind:\s*(\S+)/m, kind) &&
    fieldIs(text, /^metadata:[\s{]+(?:[^\n]*\n? +)??name:\s*([^\s,}]+)/m, name)
  );
}

const fieldIs = (text: string, field: RegExp, value: string): boolean =>
  field.exec(text)?.[1]?.replace(/^["']|["']$/g, '') === value;
