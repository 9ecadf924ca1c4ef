import type { MarkerName } from './marker-names.ts';
import { parseMarkers } from './markers.ts';

export interface FieldMarker {
  name: MarkerName;
  value: string;
  /** Where its value starts in the text of the field. */
  offset: number;
}

/** The markers of a field as written, `required=true default=3`; none when they are wrong. */
export function markersOf(text: string): readonly FieldMarker[] {
  const bar = text.indexOf('|');
  return bar < 0 ? [] : (parseMarkers(text, bar + 1, () => {}) ?? []);
}
