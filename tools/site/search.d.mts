/** The settings of the search; see search.mjs. */
export const searchOptions: {
  fuzzy: number;
  prefix: boolean;
  boost: Readonly<Record<string, number>>;
  processTerm(term: string): string | null;
  boostDocument(id: string): number;
};
