import { comparePackages } from '../../compat/index.ts';
import type { Diagnostic } from '../../diagnostics/index.ts';
import { toDiagnostics } from '../../locate/index.ts';
import { readSources } from '../sources.ts';
import type { RenderOptions, Source } from '../types.ts';
import { readVersions, type VersionsInput } from './read.ts';

export interface CompatInput extends VersionsInput {
  /** Instances to name when a change breaks them, besides those of both versions. Default: none. */
  readonly instances?: readonly Source[] | undefined;
}

export interface CompatOptions extends RenderOptions {
  /**
   * Count all that may break an instance, as kro 0.10 does with the gate ConservativeCRDComparison.
   * @default false
   */
  readonly conservative?: boolean | undefined;
}

export interface CompatResult {
  /** Whether every instance stays valid; false when there is any error among the diagnostics. */
  readonly compatible: boolean;
  /** `breaking-change` (an error) and `compatible-change` (an info), at the field of the newer RGD. */
  readonly diagnostics: Diagnostic[];
}

/**
 * Compares the schemas that two versions of RGDs give to instances, by the rules by which kro accepts an update.
 * @throws TypeError as `render` does
 */
export function compat(input: CompatInput, { conservative = false, ...options }: CompatOptions = {}): CompatResult {
  if (typeof conservative !== 'boolean') throw new TypeError('conservative must be a boolean');
  const { before, after, options: checked, reports } = readVersions(input, options);
  const others = readSources(input.instances ?? [], 'instances', checked.strict, reports);
  if (!reports.hasErrors) {
    reports.addAll(comparePackages(before, after, others, { ...checked, conservative }).reports);
  }
  return { compatible: !reports.hasErrors, diagnostics: toDiagnostics(reports.all) };
}
