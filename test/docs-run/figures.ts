/** A figure of a page, and the constant that it comes from. */
interface Figure {
  page: string;
  /** The sentence of the page, with `{}` for the figure; line breaks count as spaces. */
  says: string;
  source: string;
  /** The name of the constant or field. */
  name: string;
  /** The factor. */
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
  security('an expression gets {} steps', 'src/core/model/limits.ts', 'maxSteps'),
  security('steps and {} list items', 'src/core/model/limits.ts', 'maxSize'),
  security('Each object takes {} of these steps', 'src/languages/cel/budget.ts', 'OBJECT_STEPS'),
  security('each value of a nested instance {},', 'src/languages/cel/budget.ts', 'VALUE_STEPS'),
  security('that a selector reads {},', 'src/languages/cel/budget.ts', 'SELECTION_STEPS'),
  security('and {} steps and', 'src/core/model/limits.ts', 'INSTANCE_STEPS'),
  security('steps and {} items for each of them', 'src/core/model/limits.ts', 'INSTANCE_SIZE'),
  security('An instance has at most {} values', 'src/core/model/limits.ts', 'MAX_VALUES'),
  security('has at most {} items', 'src/core/model/limits.ts', 'MAX_COLLECTION_SIZE'),
  security('instances nest {} deep', 'src/core/model/limits.ts', 'MAX_RENDER_DEPTH'),
  security('at most {} characters and', 'src/core/model/limits.ts', 'MAX_SCHEMA_CHARACTERS'),
  security('characters and {} levels', 'src/core/model/limits.ts', 'MAX_SCHEMA_DEPTH'),
  security('at most {} documents', 'src/core/model/limits.ts', 'MAX_DOCUMENTS'),
  security('{} levels in each', 'src/core/model/limits.ts', 'MAX_VALUE_DEPTH'),
  security('aliases that expand to {} values', 'src/core/model/limits.ts', 'MAX_ALIASED'),
  security('ResourceSets together get {} steps', 'src/languages/gotemplate/meter.ts', 'maxSteps'),
  security('steps and {} bytes', 'src/languages/gotemplate/meter.ts', 'maxBytes'),
  security('of which there are at most {} ', 'src/core/model/limits.ts', 'MAX_EXECUTIONS'),
  security('at most {} diagnostics', 'src/yaml/locate/locate.ts', 'MAX_SHOWN'),
  security('diagnostics, {} characters of them', 'src/yaml/locate/locate.ts', 'MAX_CHARACTERS'),
  security('after {} errors the search stops', 'src/core/model/limits.ts', 'MAX_ERRORS'),
  security('The plugin shows {},', 'src/cli/plugin/index.ts', 'MOST'),
  security('none longer than {} bytes', 'src/cli/plugin/index.ts', 'LONGEST'),
  security('objects have at most {} dependencies', 'src/core/model/limits.ts', 'MAX_DEPENDENCIES'),
  {
    page: 'docs/performance.md',
    says: 'nesting ({} levels)',
    source: 'src/core/model/limits.ts',
    name: 'MAX_VALUE_DEPTH',
  },
  {
    page: 'docs/performance.md',
    says: 'documents ({} in a',
    source: 'src/core/model/limits.ts',
    name: 'MAX_DOCUMENTS',
  },
  {
    page: 'docs/differences.md',
    says: '({} a rule and',
    source: 'src/kro/structural/cost/index.ts',
    name: 'RULE_LIMIT',
  },
  { page: 'docs/differences.md', says: 'and {} a CRD', source: 'src/kro/structural/cost/index.ts', name: 'CRD_LIMIT' },
  sets('at most {} times', 'src/flux/inputs/combine.ts', 'MAX_PERMUTATIONS'),
  sets('a template deeper than {} calls', 'src/core/model/limits.ts', 'MAX_TEMPLATE_DEPTH'),
  sets('More than {} executions', 'src/core/model/limits.ts', 'MAX_EXECUTIONS'),
  cel('may be {} characters long', 'src/languages/cel/convert.ts', 'MAX_WRITTEN'),
  cel('An expression has at most {} characters', 'src/languages/cel/parse/parser.ts', 'MAX_LENGTH'),
  cel('characters and {} levels', 'src/languages/cel/parse/parser.ts', 'MAX_DEPTH'),
  cel('makes at most {} numbers', 'src/languages/cel/library/lists.ts', 'MAX_RANGE'),
  cel('at most {} digits', 'src/languages/cel/library/format.ts', 'MAX_PRECISION'),
  cel('of more than {} characters is rejected', 'src/languages/cel/re2.ts', 'MAX_PATTERN'),
];
