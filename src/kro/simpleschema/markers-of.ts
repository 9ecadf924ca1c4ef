import type { MarkerName } from './marker-names.ts';
import { parseMarkers } from './markers.ts';

interface FieldMarker {
  name: MarkerName;
  value: string;
  /** The offset of its value in the text of the field. */
  offset: number;
}

/** Returns the markers of a field as written, `required=true default=3`; none if they are invalid. */
export function markersOf(text: string): readonly FieldMarker[] {
  const bar = text.indexOf('|');
  return bar < 0 ? [] : (parseMarkers(text, bar + 1, () => {}) ?? []);
}
