import { addTo, type Graph, takeLeast } from '../compile/index.ts';

/**
 * The nodes of a run that are to be looked at, by their places in the rendering order. A node is put there again when
 * something that it waits for has changed, so that a run which is woken often does not go through all of its nodes.
 */
export interface Agenda {
  /** A heap of places. */
  places: number[];
  listed: Set<number>;
  /** Places before the one that is being looked at: for the next time. */
  later: number[];
  /** The place that is being looked at; -1 between two times. */
  at: number;
}

/** What has an agenda: the nodes are those of its graph. */
interface Scheduled {
  readonly graph: Pick<Graph, 'order' | 'places' | 'readers'>;
  readonly agenda: Agenda;
}

export function wholeAgenda(size: number): Agenda {
  const places = Array.from({ length: size }, (_, place) => place);
  return { places, listed: new Set(places), later: [], at: -1 };
}

/** Puts a node on the agenda of its run. */
export function lookAt({ graph, agenda }: Scheduled, node: number): void {
  const place = graph.places[node];
  if (place === undefined || agenda.listed.has(place)) return;
  agenda.listed.add(place);
  if (place <= agenda.at) agenda.later.push(place);
  else addTo(agenda.places, place);
}

/** Puts all that read a node on the agenda. */
export function lookAtReaders(run: Scheduled, node: number): void {
  for (const reader of run.graph.readers[node] ?? []) lookAt(run, reader);
}

/** The nodes on the agenda, in rendering order, with those that are put there behind the one at hand. */
export function* onAgenda({ graph, agenda }: Scheduled): Generator<number> {
  for (let place = takeLeast(agenda.places); place !== undefined; place = takeLeast(agenda.places)) {
    agenda.at = place;
    agenda.listed.delete(place);
    yield graph.order[place] as number;
  }
  agenda.at = -1;
  for (const place of agenda.later.splice(0)) addTo(agenda.places, place);
}
