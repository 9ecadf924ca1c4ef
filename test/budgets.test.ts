import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { codes } from '../src/core/diagnostics/index.ts';

const read = (file: string): string => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');
const rows = (/## Budgets\n\n\| .*\n\| .*\n((?:\|.*\n)+)/.exec(read('SECURITY.md'))?.[1] ?? '')
  .trim()
  .split('\n')
  .map((row) => row.split('|').map((cell) => cell.trim()));
const budgets = new Map(rows.map(([, input = '', budget = '', code = '']) => [input, { budget, code }]));

/** For each row, the constant of the sources for each number. */
const CONSTANTS: Record<string, readonly (readonly [file: string, name: string, factor?: number])[]> = {
  'an expression': [
    ['src/core/model/limits.ts', 'maxSteps'],
    ['src/core/model/limits.ts', 'maxSize'],
  ],
  instances: [
    ['src/core/model/limits.ts', 'maxSteps', 4],
    ['src/core/model/limits.ts', 'INSTANCE_STEPS'],
  ],
  'a collection, nested instances': [
    ['src/core/model/limits.ts', 'MAX_COLLECTION_SIZE'],
    ['src/core/model/limits.ts', 'MAX_RENDER_DEPTH'],
  ],
  'values of an instance, defaults included': [['src/core/model/limits.ts', 'MAX_VALUES']],
  'the schema of an RGD': [
    ['src/core/model/limits.ts', 'MAX_SCHEMA_CHARACTERS'],
    ['src/core/model/limits.ts', 'MAX_SCHEMA_DEPTH'],
    ['src/core/model/limits.ts', 'MAX_PATTERNS'],
  ],
  'the schemas of all RGDs': [['src/core/model/limits.ts', 'MAX_MULTIPLIED']],
  'a page of `docs`': [['src/core/model/limits.ts', 'MAX_PAGE_FIELDS']],
  'a stream of YAML': [
    ['src/core/model/limits.ts', 'MAX_DOCUMENTS'],
    ['src/core/model/limits.ts', 'MAX_VALUE_DEPTH'],
    ['src/core/model/limits.ts', 'MAX_ALIASED'],
  ],
  'templates of all ResourceSets': [
    ['src/core/model/limits.ts', 'maxSteps', 1 / 10],
    ['src/core/model/limits.ts', 'maxSize', 8],
    ['src/core/model/limits.ts', 'MAX_EXECUTIONS'],
  ],
  'one call in a template': [['src/core/model/limits.ts', 'MAX_ARGUMENTS']],
  'a search of folders': [
    ['src/core/model/limits.ts', 'MAX_WALK_ENTRIES'],
    ['src/core/model/limits.ts', 'MAX_WALK_LEVELS'],
  ],
  'a commit': [
    ['src/core/model/limits.ts', 'MAX_WALK_ENTRIES'],
    ['src/core/model/limits.ts', 'MAX_WALK_LEVELS'],
    ['src/core/model/limits.ts', 'MAX_PATH_BYTES'],
  ],
  'kustomizations and configurations that list one another': [['src/core/model/limits.ts', 'MAX_WALK_LEVELS']],
  'a chart': [
    ['src/cli/plugin/tree/chart.ts', 'MAX_ENTRIES'],
    ['src/core/model/limits.ts', 'MAX_WALK_LEVELS'],
  ],
  'applications of a plan': [
    ['src/core/model/limits.ts', 'MAX_APPLICATION_LEVELS'],
    ['src/core/model/limits.ts', 'MAX_NESTED_APPLICATIONS'],
    ['src/core/model/limits.ts', 'MAX_PLAN_OBJECTS'],
  ],
  'generators and templates of all ApplicationSets': [
    ['src/core/model/limits.ts', 'APPLICATION_SET_STEPS'],
    ['src/core/model/limits.ts', 'APPLICATION_SET_BYTES'],
  ],
  'variables of a Kustomization': [
    ['src/core/model/limits.ts', 'MAX_SUBSTITUTED'],
    ['src/core/model/limits.ts', 'MAX_NESTING'],
  ],
  'the search for an RGD of a kind': [
    ['src/cli/traces.ts', 'MOST_ENTRIES'],
    ['src/cli/traces.ts', 'MOST_FILES'],
    ['src/cli/traces.ts', 'MOST_CHARACTERS'],
  ],
  'the language server': [
    ['src/cli/lsp-server.ts', 'MAX_FILES'],
    ['src/cli/lsp-server.ts', 'MAX_BYTES'],
    ['src/core/model/limits.ts', 'MAX_WALK_ENTRIES'],
    ['src/core/model/limits.ts', 'MAX_WALK_LEVELS'],
  ],
  'an archive that the playground opens': [
    ['src/cli/playground/limits.ts', 'MOST_FILES'],
    ['src/cli/playground/limits.ts', 'MOST_CHARACTERS'],
  ],
  'globs of an invocation': [
    ['src/core/model/limits.ts', 'GLOB_STEPS'],
    ['src/core/model/limits.ts', 'GLOB_STEPS_EACH'],
  ],
  'matching a regular expression': [],
  errors: [['src/core/model/limits.ts', 'MAX_ERRORS']],
  'warnings and infos': [['src/core/model/limits.ts', 'MAX_ALIKE']],
  'printed diagnostics': [
    ['src/yaml/locate/locate.ts', 'MAX_SHOWN'],
    ['src/yaml/locate/locate.ts', 'MAX_CHARACTERS'],
  ],
};

function constant(file: string, name: string): number {
  const written = new RegExp(`\\b${name}(?: =|:) ([\\d_]+)[;,]?(?:\\s|$)`, 'm').exec(read(file))?.[1];
  if (written === undefined) throw new Error(`${file} has no number ${name}`);
  return Number(written.replaceAll('_', ''));
}

describe('the table of budgets in SECURITY.md', () => {
  it('has the rows that are compared with the sources', () => {
    expect([...budgets.keys()].sort()).toEqual(Object.keys(CONSTANTS).sort());
  });

  it.each(Object.entries(CONSTANTS))('has the value of the sources: %s', (input, constants) => {
    const numbers = (budgets.get(input)?.budget.match(/\d[\d,]*/g) ?? []).map((one) => Number(one.replaceAll(',', '')));
    for (const [file, name, factor = 1] of constants) expect(numbers).toContain(constant(file, name) * factor);
  });

  it.each([...budgets])('names codes that exist: %s', (_, { code }) => {
    for (const [, name = ''] of code.matchAll(/`([^`]+)`/g)) expect(Object.keys(codes)).toContain(name);
  });
});
