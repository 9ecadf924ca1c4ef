import { NotLoaded } from './not-loaded.ts';

/**
 * Replaces `data/controller-kinds.json` in the page, which only packages with kinds of Argo CD and Flux need: it is loaded
 * when a request reads it, and the request is answered again.
 */
let table: string | undefined;

export default {
  /** @throws NotLoaded before the table is loaded */
  get table(): string {
    if (table === undefined) throw new NotLoaded('the kinds of Argo CD and Flux are not loaded');
    return table;
  },
};

export async function loadControllerKinds(): Promise<void> {
  table = (await import('../../data/controller-kinds.json')).default.table;
}
