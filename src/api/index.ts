/** The library: plain values outside, the pipeline inside. */

import { objectIn } from './arguments.ts';
import { LIVE_MEMBERS, readLive } from './live.ts';
import { type RenderResult, readRenderInput } from './package.ts';
import type { ObserveInput, ObserveOptions, RenderInput, RenderOptions, ValidateOptions } from './types.ts';
import {
  crdsRead,
  observeRead,
  type PendingResult,
  pendingRead,
  renderRead,
  type ValidateResult,
  validateRead,
} from './verbs.ts';

export type { Code as DiagnosticCode, Diagnostic, Severity, Stage } from '../core/diagnostics/index.ts';
export type { OnPending, Order } from '../core/model/render.ts';
export type { Awaited as PendingValue } from '../kro/survey/index.ts';
export { type CompiledDefinitions, compile } from './compile.ts';
export type { RenderResult } from './package.ts';
export { formatDiagnostics, toJson, toYaml } from './text.ts';
export type {
  CompileOptions,
  InstanceInput,
  InstanceOptions,
  JsonValue,
  KubernetesObject,
  LiveInput,
  LiveOptions,
  ObjectMeta,
  ObjectSource,
  ObserveInput,
  ObserveOptions,
  RenderInput,
  RenderOptions,
  Source,
  TextSource,
  ValidateOptions,
  ValidateRule,
} from './types.ts';
export type { PendingResult, ValidateResult } from './verbs.ts';

/**
 * Renders a package: every instance becomes its objects. Pure: no clock, files, network or randomness. What is wrong
 * with the input or the options is reported in `diagnostics`, never thrown. To render many sets of instances of the same
 * RGDs, `compile` those first.
 * @throws TypeError for arguments of the wrong type, and for objects that hold no JSON, with the place
 */
export const render = (input: RenderInput, options: RenderOptions = {}): RenderResult =>
  renderRead(readRenderInput(input, options));

/**
 * The CustomResourceDefinitions that the RGDs among `objects` generate, sorted by name.
 * @throws TypeError as `render` does
 */
export const crds = (input: RenderInput, options: RenderOptions = {}): RenderResult =>
  crdsRead(readRenderInput(input, options));

/**
 * Tells everything that is wrong with a package, one broken object hiding no other, and what is probably not intended
 * (`lint-...`, a warning each). A node that needs a value of a cluster is an info, whatever `onPending` says.
 * @throws TypeError as `render` does
 */
export const validate = (input: RenderInput, given: ValidateOptions = {}): ValidateResult => {
  const { disable = [], rules = [], ...options } = objectIn(given, 'options');
  return validateRead(readRenderInput(input, options), disable, rules);
};

/**
 * The values that the instances of a package wait for: what only live objects have. Waiting itself is no error here,
 * whatever `onPending` says.
 * @throws TypeError as `render` does
 */
export const pending = (input: RenderInput, options: RenderOptions = {}): PendingResult =>
  pendingRead(readRenderInput(input, options));

/**
 * What a package reads of live objects, and nothing else of them: given as `observed`, it renders as with all of them.
 * Sorted by group, kind, namespace and name. What nothing reads is left out with an info.
 * @throws TypeError as `render` does
 */
export const observe = (input: ObserveInput, options: ObserveOptions = {}): RenderResult => {
  const { allowSecrets, ...others } = objectIn(options, 'options');
  return observeRead(readRenderInput(input, others, LIVE_MEMBERS), readLive(input, { allowSecrets }));
};
