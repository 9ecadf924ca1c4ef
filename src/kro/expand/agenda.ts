import { addTo, type Graph, takeLeast } from '../compile/index.ts';

/**
 * The nodes of a run that are to be looked at, by their places in the rendering order. A node is put there again when
 * something that it waits for has changed, so that a run which is woken often does not go through all of its nodes.
 */
export interface Agenda {
  /** A heap of places. */
  places: number[];
  /** Whether a place is on it. */
  listed: boolean[];
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
  const places: number[] = [];
  const listed: boolean[] = [];
  for (let place = 0; place < size; place++) {
    places.push(place);
    listed.push(true);
  }
  return { places, listed, later: [], at: -1 };
}

/** Puts a node on the agenda of its run. */
export function enqueue({ graph, agenda }: Scheduled, node: number): void {
  const place = graph.places[node];
  if (place === undefined || agenda.listed[place] === true) return;
  agenda.listed[place] = true;
  if (place <= agenda.at) agenda.later.push(place);
  else addTo(agenda.places, place);
}

/** Puts all that read a node on the agenda. */
export function enqueueReaders(run: Scheduled, node: number): void {
  for (const reader of run.graph.readers[node] ?? []) enqueue(run, reader);
}

/**
 * Takes the next node off the agenda, in rendering order; those that are put there behind the one at hand come too.
 * `undefined` when there is none: what was put there meanwhile is for the next time.
 */
export function dequeue({ graph, agenda }: Scheduled): number | undefined {
  const place = takeLeast(agenda.places);
  if (place !== undefined) {
    agenda.at = place;
    agenda.listed[place] = false;
    return graph.order[place];
  }
  agenda.at = -1;
  for (const later of agenda.later.splice(0)) addTo(agenda.places, later);
  return undefined;
}
