import { type Marker, parseMarkers } from './markers.ts';

/** Returns the markers of a field as written, `required=true default=3`; none if they are invalid. */
export function markersOf(text: string): readonly Marker[] {
  const bar = text.indexOf('|');
  return bar < 0 ? [] : (parseMarkers(text, bar + 1, () => {}) ?? []);
}
