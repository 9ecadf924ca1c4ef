import { publicText, type Text } from '../../core/diagnostics/index.ts';

/** `Application web`, with what distinguishes it from others of its kind and name. */
export const titleOfApplication = ({
  kind,
  name,
  qualifier,
}: {
  kind: string;
  name: string;
  qualifier?: string;
}): Text => (qualifier === undefined ? publicText`${kind} ${name}` : publicText`${kind} ${name} (${qualifier})`);
