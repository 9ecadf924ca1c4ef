import { type CompatException, comparePackages, faultInName } from '../../authoring/compat/index.ts';
import type { Diagnostic } from '../../core/diagnostics/index.ts';
import { toDiagnostics } from '../../yaml/locate/index.ts';
import { listIn, objectIn, textIn } from '../arguments.ts';
import { readVersions, type VersionsInput } from '../package.ts';
import { readSources } from '../sources.ts';
import type { RenderOptions, Source } from '../types.ts';

export interface CompatInput extends VersionsInput {
  /** Instances to check against a change, besides those of both versions. Default: none. */
  readonly instances?: readonly Source[] | undefined;
}

export interface CompatOptions extends RenderOptions {
  /**
   * Reports everything that may break an instance, as kro 0.10 does with the gate ConservativeCRDComparison.
   * @default false
   */
  readonly conservative?: boolean | undefined;
  /**
   * Accepted breaking changes, which become warnings.
   * @default []
   */
  readonly allow?: readonly AllowedChange[] | undefined;
}

export interface AllowedChange {
  /** The name of the change, such as `property-removed`; `*` for any. */
  readonly change: string;
  /** The field, and all below it: `spec.replicas`. Default: every field. */
  readonly field?: string | undefined;
  /** The reason; it must not be empty. */
  readonly reason: string;
}

export interface CompatResult {
  /** Whether every instance stays valid; false if one of the diagnostics is an error. */
  readonly compatible: boolean;
  /** `breaking-change` (an error) and `compatible-change` (an info), at the field of the newer RGD. */
  readonly diagnostics: Diagnostic[];
}

/**
 * Compares the schemas of two versions of RGDs by the rules by which kro accepts an update.
 * @throws TypeError as `render` does
 */
export function compat(input: CompatInput, given: CompatOptions = {}): CompatResult {
  const { conservative = false, allow = [], ...options } = objectIn(given, 'options');
  if (typeof conservative !== 'boolean') throw new TypeError('conservative must be a boolean');
  const exceptions = exceptionsIn(allow);
  const { before, after, options: checked, reports } = readVersions(input, options, ['instances']);
  const others = readSources(input.instances ?? [], 'instances', checked.strict, reports);
  if (!reports.hasErrors) {
    reports.addAll(comparePackages(before, after, others, { ...checked, conservative, exceptions }).reports);
  }
  return { compatible: !reports.hasErrors, diagnostics: toDiagnostics(reports.all) };
}

/** @throws TypeError for values that are not a list of changes with reasons */
function exceptionsIn(allow: readonly AllowedChange[]): CompatException[] {
  listIn(allow, 'allow');
  return allow.map((one, index) => {
    const at = `allow[${index}]`;
    const { change, field = '', reason } = objectIn(one, at, 'change and reason');
    const exception = { rule: textIn(change, `${at}.change`), path: textIn(field, `${at}.field`), reason };
    const fault = faultInName(exception.rule);
    if (fault !== undefined) throw new TypeError(`${at}.change: ${fault}`);
    if (textIn(reason, `${at}.reason`).trim() === '') throw new TypeError(`${at}.reason must not be empty`);
    return exception;
  });
}
