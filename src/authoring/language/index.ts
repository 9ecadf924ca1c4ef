/** What an editor can say of RGDs, instances and ResourceSets while they are written, and its two wires. */

export { Language } from './language.ts';
export type { Host } from './wire/host.ts';
export { type InitializationOptions, serve } from './wire/serve.ts';
