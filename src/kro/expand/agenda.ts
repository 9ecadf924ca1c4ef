import { addInOrder } from '../../core/model/order.ts';
import type { Graph } from '../compile/index.ts';

/** The nodes of a run to process, by their index in the rendering order. */
export interface Agenda {
  /** In descending order. */
  places: number[];
  listed: boolean[];
  /** Indexes before the current one, for the next pass. */
  later: number[];
  /** The current index; -1 between two passes. */
  at: number;
}

interface Scheduled {
  readonly graph: Pick<Graph, 'order' | 'places' | 'readers'>;
  readonly agenda: Agenda;
}

export function wholeAgenda(size: number): Agenda {
  const places: number[] = [];
  const listed: boolean[] = [];
  for (let place = 0; place < size; place++) {
    places.push(size - 1 - place);
    listed.push(true);
  }
  return { places, listed, later: [], at: -1 };
}

export function enqueue({ graph, agenda }: Scheduled, node: number): void {
  const place = graph.places[node];
  if (place === undefined || agenda.listed[place] === true) return;
  agenda.listed[place] = true;
  if (place <= agenda.at) agenda.later.push(place);
  else addInOrder(agenda.places, place);
}

export function enqueueReaders(run: Scheduled, node: number): void {
  for (const reader of run.graph.readers[node] ?? []) enqueue(run, reader);
}

/** Takes the next node from the agenda, in rendering order; those added after the current one come too. */
export function dequeue({ graph, agenda }: Scheduled): number | undefined {
  const place = agenda.places.pop();
  if (place !== undefined) {
    agenda.at = place;
    agenda.listed[place] = false;
    return graph.order[place];
  }
  agenda.at = -1;
  for (const later of agenda.later.splice(0)) addInOrder(agenda.places, later);
  return undefined;
}
