import use from '../../data/completion-use.json';

type Usage = Exclude<keyof typeof use, 'markers'>;

const places = new Map<Usage, ReadonlyMap<string, number>>();

/** Returns the place of a name among those that are used most in a place, from 0 to 1; 1 for other names. */
export function useOf(usage: Usage, name: string): number {
  const names = use[usage];
  let known = places.get(usage);
  if (known === undefined) {
    known = new Map(names.map((one, index) => [one, index / names.length]));
    places.set(usage, known);
  }
  return known.get(name) ?? 1;
}

/** The actions of a template. */
export const templateActions: readonly string[] = use.templateActions;

/** Returns the place of a marker among those of a type of SimpleSchema, from 0; undefined if it does not apply. */
export function markerPlace(type: string, marker: string): number | undefined {
  const at = markersFor(type).indexOf(marker);
  return at < 0 ? undefined : at;
}

function markersFor(type: string): readonly string[] {
  if (type.startsWith('[]')) return use.markers.list;
  if (type === 'string') return use.markers.string;
  if (type === 'integer' || type === 'float') return use.markers.number;
  return type === 'boolean' ? use.markers.boolean : use.markers.other;
}
