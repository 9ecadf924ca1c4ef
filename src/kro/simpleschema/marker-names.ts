/** Every marker of SimpleSchema (kro: markers.go). */
export const markerNames = [
  'required',
  'default',
  'description',
  'minimum',
  'maximum',
  'validation',
  'enum',
  'immutable',
  'pattern',
  'uniqueItems',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'listType',
  'listMapKey',
] as const;

export type MarkerName = (typeof markerNames)[number];
