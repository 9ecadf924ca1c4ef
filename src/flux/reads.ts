import { isError, type Problem } from '../core/diagnostics/index.ts';
import { type KubeObject, nameOf } from '../core/model/object.ts';
import { type Read, upToEach } from '../core/model/read.ts';
import { formatPath, isMap, type Path, type ValueMap } from '../core/model/value.ts';
import { anyOf, isSecret, type Secrecy, secretAt, writtenSecrets } from '../core/redaction/index.ts';
import { readsOf } from '../languages/gotemplate/index.ts';
import { canonicalSources } from './canonical/index.ts';
import { type InputSet, templateName } from './inputs/combine.ts';
import { type SecretUse, secrecyOfTemplate } from './render/fault.ts';
import { type CompiledTemplate, compileSet } from './render/templates.ts';
import { type ResourceSetSpec, readSpec } from './spec.ts';

/** An input that a part of a template reads. */
interface InputRead extends Omit<Read, 'path'> {
  /** Keys below `inputs`; an empty path means all of them. */
  path: Path;
  /** The path of the template in the ResourceSet: `spec.resources[0]`. */
  template: Path;
  /** The field in it; empty in a text of documents. */
  field: Path;
}

/** The inputs that a ResourceSet contains and reads. */
export interface InputUse {
  reads: readonly InputRead[];
  /** The inline input sets; `prefix` is the path of their keys in templates. */
  written: readonly { path: Path; prefix: Path; values: ValueMap }[];
  /** Returns what may flow into Secrets, or come from one; `rendered` knows what is secret in rendered objects. */
  secretIn(sets: readonly Values[], rendered: RenderedSecrecy): Secrecy;
}

type Values = Pick<InputSet, 'values'>;
type RenderedSecrecy = (template: Path) => Secrecy | undefined;

/** Returns `undefined` for an invalid ResourceSet. */
export function inputUseOf(object: KubeObject): InputUse | undefined {
  let failed = false;
  const report = (problem: Problem): void => {
    failed ||= isError(problem);
  };
  const spec = readSpec(object, report);
  const compiled = spec && compileSet(spec, report);
  if (failed || spec === undefined || compiled === undefined) return undefined;
  return {
    reads: inputReads(compiled),
    written: writtenIn(spec, nameOf(object)),
    secretIn: (sets, rendered) => secretUse(compiled, sets, rendered).inputs,
  };
}

const writtenIn = ({ inputs, strategy }: ResourceSetSpec, name: string): InputUse['written'] =>
  inputs.map((values, index) => ({
    path: ['spec', 'inputs', index],
    prefix: strategy === 'Permute' ? [templateName(name)] : [],
    values,
  }));

/** Returns the reads of each part of templates. A template that sets inputs changes them for later templates. */
function inputReads(compiled: readonly CompiledTemplate[]): InputRead[] {
  const reads = readsOf(
    compiled.map(({ template }) => template),
    'inputs',
  );
  return compiled.flatMap(({ path: template, entry }, index) => {
    const sourceOf = entry === undefined ? undefined : canonicalSources(entry);
    return (reads[index] ?? []).map((read) => ({
      ...read,
      path: upToEach(read.path),
      template,
      field: sourceOf?.(read.offset).path ?? [],
    }));
  });
}

/** Returns what flows into Secrets or comes from one. */
export function secretUse(
  compiled: readonly CompiledTemplate[],
  sets: readonly Values[],
  rendered: RenderedSecrecy = () => undefined,
): SecretUse {
  const reads = inputReads(compiled);
  const secrecies = new Map(
    compiled.map((text) => [formatPath(text.path), rendered(text.path) ?? secrecyOfTemplate(text)]),
  );
  // A text without a kind may be the first part of a Secret.
  const isPart = compiled.some(
    ({ path, entry, source }) => rendered(path) === undefined && !isMap(entry) && !/kind['"]?:/.test(source),
  );
  const hasSecret = isPart || [...secrecies.values()].some((one) => isSecret(one));
  const inputs = anyOf([
    ...sets.map(({ values }) => writtenSecrets(values)),
    hasSecret && unreadInputs(sets, reads),
    ...reads
      .filter(({ template, field }) => isSecret(secrecies.get(formatPath(template)) ?? true, field))
      .map(({ path }) => secretAt(path, true)),
  ]);
  const readers = reads.filter(({ path }) => isSecret(inputs, path));
  const known = new Set(readers.map(({ template }) => formatPath(template)));
  return { inputs, touches: (text) => isSecret(secrecyOfTemplate(text)) || known.has(formatPath(text.path)) };
}

/** The inputs that no template reads: the rest of a broken template may have read them. */
function unreadInputs(sets: readonly Values[], reads: readonly InputRead[]): Secrecy {
  const read = new Set(reads.map(({ path: [key] }) => key));
  const keys = new Set(sets.flatMap(({ values }) => Object.keys(values)));
  return anyOf([...keys].filter((key) => !read.has(key)).map((key) => secretAt([key], true)));
}
