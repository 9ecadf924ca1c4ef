import { type Text, trusted } from '../../core/diagnostics/index.ts';

/** `Application web`, with what distinguishes it from others of its kind and name. */
export const titleOfApplication = ({
  kind,
  name,
  qualifier,
}: {
  kind: string;
  name: string;
  qualifier?: string;
}): Text => trusted.definition(qualifier === undefined ? `${kind} ${name}` : `${kind} ${name} (${qualifier})`);
