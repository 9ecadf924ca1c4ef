/** The language server for RGDs, instances and ResourceSets, and its two transports. */

export { type FixedTexts, fixTexts, type TextsToFix } from './fix-texts.ts';
export { serve } from './wire/serve.ts';
export type { Host } from './wire/settings.ts';
export { type CheckSettings, defaultCheckSettings } from './workspace/check.ts';
