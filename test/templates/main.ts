import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { parseJson } from '../../src/core/encoding/json.ts';
import { canonicalYaml } from '../../src/flux/canonical/index.ts';
import { Meter } from '../../src/languages/gotemplate/index.ts';
import { buildTemplateJudge, hasGo } from '../cluster/control-plane/build.ts';
import { startTemplateJudge, type TemplateJudge, type Verdict } from './judge.ts';
import { purposes, valuePurposes } from './on-purpose.ts';
import { type Outcome, renderHere } from './ours.ts';
import { drawFromSeed } from './random.ts';
import { linesOf, type RecordedTemplates } from './recorded.ts';
import { type GeneratedTemplate, templateOf } from './templates.ts';
import { jsonOf } from './values.ts';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '5000' },
    seed: { type: 'string', default: '1' },
    show: { type: 'string', default: '10' },
    /** Writes the answers of Go for test/languages/gotemplate/recorded.test.ts. */
    record: { type: 'string' },
  },
});

/** Templates in memory at a time. */
const BATCH = 1000;
/** One value is written as YAML for so many templates. */
const TEMPLATES_PER_VALUE = 5;
const LIMITS = { maxSteps: 10_000, maxBytes: 200_000 };

const recorded: RecordedTemplates = { inputs: [], templates: [], values: [] };

interface Tally {
  agreed: number;
  /** How many of those fail on both sides. */
  refused: number;
  onPurpose: number;
  tooLarge: number;
  open: string[];
}

if (hasGo()) await run();
else {
  console.log('SKIPPED: go is not here, so nobody can ask text/template');
  const isFailure = process.env.CI === 'true';
  console.log(`templates: 0 passed, ${isFailure ? 1 : 0} failed`);
  process.exitCode = isFailure ? 1 : 0;
}

async function run(): Promise<void> {
  const judge = startTemplateJudge(buildTemplateJudge());
  const [count, seed] = [Number(values.count), Number(values.seed)];
  const tally: Tally = { agreed: 0, refused: 0, onPurpose: 0, tooLarge: 0, open: [] };
  for (let at = 0; at < count; at += BATCH) {
    const size = Math.min(BATCH, count - at);
    await compareTemplates(judge, size, seed * 1_000_003 + at, tally);
    await compareValues(judge, Math.ceil(size / TEMPLATES_PER_VALUE), seed * 1_000_003 + at, tally);
  }
  judge.close();
  if (values.record !== undefined) writeFileSync(values.record, linesOf(recorded));
  for (const text of tally.open.slice(0, Number(values.show))) console.log(text);
  const { agreed, refused, onPurpose, tooLarge, open } = tally;
  console.log(
    `templates and values, seed ${seed}: ${agreed} alike (${refused} refused), ${onPurpose} different on purpose, ${tooLarge} too large`,
  );
  console.log(`templates: ${agreed + onPurpose} passed, ${open.length} failed`);
  process.exitCode = open.length === 0 ? 0 : 1;
}

async function compareTemplates(judge: TemplateJudge, count: number, seed: number, tally: Tally): Promise<void> {
  const drawn = Array.from({ length: count }, (_, index) => templateOf(drawFromSeed(seed + index)));
  const rendered = drawn.map((template) => ({ template, ours: renderHere(template, new Meter(LIMITS)) }));
  // Go has no limits: input beyond the limits here would be too much for the machine there.
  const judged = rendered.filter(({ ours }) => !('kind' in ours && ours.kind === 'budget'));
  tally.tooLarge += rendered.length - judged.length;
  const verdicts = await judge.ask(judged.map(({ template }) => template));
  judged.forEach(({ template, ours }, index) => {
    compare(template, ours, verdicts[index] ?? { error: 'no answer' }, tally);
  });
}

function compare(template: GeneratedTemplate, ours: Outcome, theirs: Verdict, tally: Tally): void {
  const alike = 'text' in ours ? 'text' in theirs && ours.text === theirs.text : 'error' in theirs;
  if (alike) {
    record(template, theirs);
    tally.agreed++;
    if ('error' in ours) tally.refused++;
  } else if (purposes.some(({ holds }) => holds(template, ours, theirs))) tally.onPurpose++;
  else
    tally.open.push(`OPEN ${template.template}\n  here:  ${JSON.stringify(ours)}\n  there: ${JSON.stringify(theirs)}`);
}

async function compareValues(judge: TemplateJudge, count: number, seed: number, tally: Tally): Promise<void> {
  const drawn = Array.from({ length: count }, (_, index) => jsonOf(drawFromSeed(seed + index)));
  const verdicts = await judge.canonical(drawn);
  drawn.forEach((value, index) => {
    const theirs = verdicts[index] ?? { error: 'no answer' };
    const text = canonicalYaml(parseJson(value));
    if ('text' in theirs && theirs.text === text) {
      tally.agreed++;
      recorded.values.push([value, text]);
    } else if (valuePurposes.some(({ holds }) => holds(value, theirs))) tally.onPurpose++;
    else tally.open.push(`OPEN value ${value}\n  here:  ${JSON.stringify(text)}\n  there: ${JSON.stringify(theirs)}`);
  });
}

function record({ template, inputs, left, right }: GeneratedTemplate, theirs: Verdict): void {
  const known = recorded.inputs.indexOf(inputs);
  const at = known < 0 ? recorded.inputs.push(inputs) - 1 : known;
  recorded.templates.push([template, at, left, right, 'text' in theirs ? theirs.text : null]);
}
