import { type KubeObject, nameOf } from '../core/model/object.ts';
import { formatPath } from '../core/model/path.ts';
import type { Path, ValueMap } from '../core/model/value.ts';
import { anyOf, isSecret, type Secrecy, secretAt } from '../core/redaction/index.ts';
import { fromBytes, type ReadPath, readsOf } from '../languages/gotemplate/index.ts';
import { canonicalSources } from './canonical/index.ts';
import { templateName } from './inputs/combine.ts';
import { type CompiledTemplate, compileSet } from './render/templates.ts';
import { type ResourceSetSpec, readSpec } from './spec.ts';

/** A part of a template, with the inputs that it reads. */
export interface InputRead {
  /** The path of the template in the ResourceSet: `spec.resources[0]`. */
  template: Path;
  /** The field in it; empty in a text of documents. */
  field: Path;
  /** Keys below `inputs`; an empty path means all of them. */
  inputs: readonly ReadPath[];
}

/** The inputs that a ResourceSet contains and reads. */
export interface InputUse {
  reads: readonly InputRead[];
  /** The inline input sets; `prefix` is the path of their keys in templates. */
  written: readonly { path: Path; prefix: ReadPath; values: ValueMap }[];
}

/** Returns `undefined` for an invalid ResourceSet. */
export function inputUseOf(object: KubeObject): InputUse | undefined {
  let failed = false;
  const report = ({ severity }: { severity?: string }): void => {
    if ((severity ?? 'error') === 'error') failed = true;
  };
  const spec = readSpec(object, report);
  const compiled = spec && compileSet(spec, report);
  if (failed || spec === undefined || compiled === undefined) return undefined;
  return { reads: inputReads(compiled), written: writtenIn(spec, nameOf(object)) };
}

const writtenIn = ({ inputs, strategy }: ResourceSetSpec, name: string): InputUse['written'] =>
  inputs.map((values, index) => ({
    path: ['spec', 'inputs', index],
    prefix: strategy === 'Permute' ? [templateName(name)] : [],
    values,
  }));

/** Returns the reads of each part of templates. A template that sets inputs changes them for later templates. */
export function inputReads(compiled: readonly CompiledTemplate[]): InputRead[] {
  const reads = readsOf(
    compiled.map(({ template }) => template),
    'inputs',
  );
  return compiled.flatMap(({ text: { bytes, path, entry } }, index) => {
    const sourceOf = entry === undefined ? undefined : canonicalSources(entry);
    return (reads[index] ?? []).map(({ offset, paths }) => ({
      template: path,
      field: sourceOf?.(fromBytes(bytes.slice(0, offset)).length).path ?? [],
      inputs: paths,
    }));
  });
}

/** Returns which parts of an input set flow into Secrets, given the secret parts of what each template renders. */
export const secretInputs = (reads: readonly InputRead[], secrecyOf: (template: Path) => Secrecy): Secrecy => {
  const known = new Map<string, Secrecy>();
  return anyOf(
    reads.flatMap(({ template, field, inputs }) => {
      const key = formatPath(template);
      const secrecy = known.get(key) ?? secrecyOf(template);
      known.set(key, secrecy);
      return isSecret(secrecy, field) ? inputs.map((path) => secretAt(path, true)) : [];
    }),
  );
};
