/** A figure that a page states, and the constant that it comes from. */
interface Figure {
  page: string;
  /** What the page says, with `{}` for the figure; line breaks count as blanks. */
  says: string;
  source: string;
  /** The name of the constant or field. */
  name: string;
  /** What it is multiplied by. */
  times?: number;
}

const security = (says: string, source: string, name: string, times = 1): Figure => ({
  page: 'SECURITY.md',
  says,
  source,
  name,
  times,
});

const cel = (says: string, source: string, name: string): Figure => ({ page: 'docs/cel.md', says, source, name });
const sets = (says: string, source: string, name: string): Figure => ({
  page: 'docs/resourceset.md',
  says,
  source,
  name,
});

export const figures: readonly Figure[] = [
  security('an expression gets {} steps', 'src/model/limits.ts', 'maxSteps'),
  security('steps and {} list items', 'src/model/limits.ts', 'maxSize'),
  security('Each object takes {} of these steps', 'src/cel/budget.ts', 'OBJECT_STEPS'),
  security('each value of a nested instance {},', 'src/cel/budget.ts', 'VALUE_STEPS'),
  security('that a selector looks at {},', 'src/cel/budget.ts', 'SELECTION_STEPS'),
  security('and {} steps and', 'src/rgd/expand/pool.ts', 'STEPS_EACH'),
  security('steps and {} items for each of them', 'src/rgd/expand/pool.ts', 'SIZE_EACH'),
  security('An instance has at most {} values', 'src/validation/visit.ts', 'MAX_VALUES'),
  security('has at most {} items', 'src/model/render.ts', 'maxCollectionSize'),
  security('instances nest {} deep', 'src/rgd/expand/nested.ts', 'MAX_DEPTH'),
  security('at most {} characters and', 'src/schema/extent.ts', 'MAX_SCHEMA_CHARACTERS'),
  security('characters and {} levels', 'src/schema/extent.ts', 'MAX_SCHEMA_DEPTH'),
  security('at most {} documents', 'src/text/documents.ts', 'MAX_DOCUMENTS'),
  security('{} levels in each', 'src/parse/events.ts', 'MAX_DEPTH'),
  security('aliases that expand to {} values', 'src/parse/yaml.ts', 'ALIAS_BUDGET'),
  security('ResourceSets together get {} steps', 'src/gotemplate/meter.ts', 'maxSteps'),
  security('steps and {} bytes', 'src/gotemplate/meter.ts', 'maxBytes'),
  security('of which there are at most {} ', 'src/resourceset/render/budget.ts', 'MOST_RUNS'),
  security('At most {} diagnostics', 'src/locate/shown.ts', 'MAX_SHOWN'),
  security('diagnostics, {} characters of them', 'src/locate/shown.ts', 'MAX_CHARACTERS'),
  security('after {} errors no more are looked for', 'src/diagnostics/collector.ts', 'MAX_ERRORS'),
  security('The plugin shows {},', 'src/shells/plugin/report.ts', 'MOST'),
  security('none longer than {} bytes', 'src/shells/plugin/report.ts', 'LONGEST'),
  security('objects have at most {} dependencies', 'src/label/order.ts', 'MAX_DEPENDENCIES'),
  { page: 'docs/performance.md', says: 'nesting ({} levels)', source: 'src/parse/events.ts', name: 'MAX_DEPTH' },
  { page: 'docs/performance.md', says: 'documents ({} in a', source: 'src/text/documents.ts', name: 'MAX_DOCUMENTS' },
  {
    page: 'docs/differences.md',
    says: '({} a rule and',
    source: 'src/rgd/structural/cost/index.ts',
    name: 'RULE_LIMIT',
  },
  { page: 'docs/differences.md', says: 'and {} a CRD', source: 'src/rgd/structural/cost/index.ts', name: 'CRD_LIMIT' },
  sets('at most {} times', 'src/resourceset/inputs/combine.ts', 'MAX_PERMUTATIONS'),
  sets('a template deeper than {} calls', 'src/gotemplate/meter.ts', 'MAX_TEMPLATE_DEPTH'),
  sets('More than {} executions', 'src/resourceset/render/budget.ts', 'MOST_RUNS'),
  cel('may be {} characters long', 'src/cel/convert.ts', 'MAX_WRITTEN'),
  cel('An expression has at most {} characters', 'src/cel/parse/parser.ts', 'maxLength'),
  cel('characters, {} parts', 'src/cel/parse/parser.ts', 'maxNodes'),
  cel('parts and {} levels', 'src/cel/parse/parser.ts', 'maxDepth'),
  cel('makes at most {} numbers', 'src/cel/library/ext/lists.ts', 'MAX_RANGE'),
  cel('at most {} digits', 'src/cel/library/ext/format-clause.ts', 'MAX_PRECISION'),
  cel('of more than {} characters is refused', 'src/cel/re2.ts', 'MAX_PATTERN'),
];
