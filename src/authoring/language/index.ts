/** The language server for RGDs, instances and ResourceSets, and its two transports. */

export { Language } from './language.ts';
export type { Host } from './wire/host.ts';
export { serve } from './wire/serve.ts';
