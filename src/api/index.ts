/** The public API of the library: plain JavaScript values around the pipeline. */

import { objectIn } from './arguments.ts';
import { type RenderResult, readRenderInput } from './package.ts';
import type { ObserveInput, ObserveOptions, RenderInput, RenderOptions, ValidateOptions } from './types.ts';
import {
  crdsRead,
  observeWith,
  type PendingResult,
  pendingRead,
  renderRead,
  type ValidateResult,
  validateRead,
} from './verbs.ts';

export type { Code as DiagnosticCode, Diagnostic, Severity, Stage } from '../core/diagnostics/index.ts';
export type { OnPending, Order } from '../core/model/render.ts';
export type { PendingValue } from '../kubernetes/front-end/index.ts';
export { type CompiledDefinitions, compile } from './compile.ts';
export type { RenderResult } from './package.ts';
export { formatDiagnostics, toJson, toYaml } from './text.ts';
export type * from './types.ts';
export type { PendingResult, ValidateResult } from './verbs.ts';

/**
 * Renders a package: returns the objects of every instance. Pure: no clock, files, network or randomness. Errors in the
 * input or the options are in `diagnostics`, never thrown. To render many sets of instances of the same RGDs, use
 * `compile`.
 * @throws TypeError for arguments of the wrong type, and for objects that JSON cannot represent, with the path
 */
export const render = (input: RenderInput, options: RenderOptions = {}): RenderResult =>
  renderRead(readRenderInput(input, options));

/**
 * Returns the CustomResourceDefinitions that the RGDs among `objects` generate, sorted by name.
 * @throws TypeError as `render` does
 */
export const crds = (input: RenderInput, options: RenderOptions = {}): RenderResult =>
  crdsRead(readRenderInput(input, options));

/**
 * Reports every error in a package, whatever other objects are broken, and lints (`lint-...`, warnings). A node that
 * needs a value of a cluster is an info, whatever `onPending` is.
 * @throws TypeError as `render` does
 */
export const validate = (input: RenderInput, given: ValidateOptions = {}): ValidateResult => {
  const { disable = [], rules = [], ...options } = objectIn(given, 'options');
  return validateRead(readRenderInput(input, options), disable, rules);
};

/**
 * Returns the pending values of the instances of a package: those that only live objects have. Pending nodes are not
 * errors here, whatever `onPending` is.
 * @throws TypeError as `render` does
 */
export const pending = (input: RenderInput, options: RenderOptions = {}): PendingResult =>
  pendingRead(readRenderInput(input, options));

/**
 * Returns the fields that a package reads of live objects. With them as `observed`, it renders the same objects as with
 * the complete ones. Sorted by group, kind, namespace and name. Objects that nothing reads are omitted with an info.
 * @throws TypeError as `render` does
 */
export const observe = (input: ObserveInput, options: ObserveOptions = {}): RenderResult =>
  observeWith(input, objectIn(options, 'options'), (own, more) => readRenderInput(input, own, more));
