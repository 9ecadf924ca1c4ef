// How the site searches. VitePress sends these functions to the browser as text, so that each is complete in itself.

/** Leaves out words that every question has. */
function processTerm(term) {
  const word = term.toLowerCase();
  const words =
    ' a an and are as at be by can do does for from go goes has have how i if in is it its my not of on one only or so that the there these this to what when where which who why with without you your ';
  return words.includes(` ${word} `) ? null : word;
}

/** Prefers pages for users, because those for maintainers and the long tables have every word. */
function boostDocument(id) {
  if (/^\/(?:SECURITY|CHANGELOG|CONTRIBUTING)|\/docs\/(?:decisions|fidelity|performance|publishing)\b/.test(id))
    return 0.1;
  if (/\/docs\/(?:diagnostics|options|cel|differences|compat-changes|library)\b/.test(id)) return 0.4;
  return id.endsWith('/docs/#questions') ? 2 : 1;
}

export const searchOptions = {
  fuzzy: 0.2,
  prefix: true,
  boost: { title: 4, text: 2, titles: 1 },
  processTerm,
  boostDocument,
};
