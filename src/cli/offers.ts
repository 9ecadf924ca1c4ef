import type { Offered } from '../authoring/offers/index.ts';
import { hasErrors } from '../core/diagnostics/index.ts';
import type { Value } from '../core/model/value.ts';
import { visible } from '../core/text/visible.ts';
import { definitionOptions, instanceOptions, renderingOptions, reportingOptions } from '../render/options/index.ts';
import { toJsonText } from '../yaml/emit/index.ts';
import type { Invocation } from './command.ts';
import { concludePartly, fail } from './conclude.ts';
import type { Gathered } from './gather.ts';

/** The shared options of commands about RGDs only. */
export const forDefinitions = {
  shared: { ...definitionOptions, ...reportingOptions },
  ignored: { ...instanceOptions, ...renderingOptions },
} as const;

/** Prints the output for a package: a broken RGD does not affect the others. Returns the exit code. */
export function concludeOffer<Offer>(
  invocation: Invocation,
  { reports }: Gathered,
  { offer, fault, reports: found }: Offered<Offer>,
  write: (offer: Offer) => string,
): number {
  const all = [...reports, ...found];
  if (fault !== undefined && !hasErrors(all)) return fail('not-found', fault, invocation);
  return concludePartly(invocation, all, () => (offer === undefined ? [] : [write(offer)]));
}

export const jsonText = (value: Value): string => visible(`${toJsonText(value, 2)}\n`);
