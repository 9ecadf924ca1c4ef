import { Collector, composeText, type Report, trusted } from '../core/diagnostics/index.ts';
import type { Document } from '../core/model/object.ts';
import { allowSecrets as option, settingFromValue } from '../render/options/index.ts';
import { readSources } from './sources.ts';
import type { LiveInput, LiveOptions } from './types.ts';

/** Live objects, and whether values of Secrets may be kept. */
export interface Live {
  readonly live: readonly Document[];
  readonly earlier: readonly Document[];
  readonly allowSecrets: boolean;
  readonly reports: readonly Report[];
}

/** The members of the input that only `observe` takes. */
export const LIVE_MEMBERS: readonly string[] = ['live', 'earlier'] satisfies (keyof LiveInput)[];

/** @throws TypeError for arguments of the wrong type, with the place */
export function readLive({ live, earlier = [] }: LiveInput, { allowSecrets = false }: LiveOptions): Live {
  const reports = new Collector();
  const parsed = settingFromValue(option, allowSecrets);
  if ('fault' in parsed) {
    const message = composeText`allowSecrets: ${trusted.argument(parsed.fault)}`;
    reports.add({ code: 'library-option', message, path: ['allowSecrets'], object: composeText`options` });
  }
  return {
    live: readSources(live, 'live', false, reports),
    earlier: readSources(earlier, 'earlier', false, reports),
    allowSecrets: allowSecrets === true,
    reports: reports.all,
  };
}
