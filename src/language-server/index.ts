/** The language server for RGDs, instances and ResourceSets, and its two transports. */

export { serve } from './wire/serve.ts';
export type { Host } from './wire/settings.ts';
