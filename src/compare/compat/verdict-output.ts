/** Writes verdicts as text, as Markdown and as data. */
import {
  composeText,
  counted,
  type Diagnostic,
  joinTexts,
  shownTitleOf,
  type Text,
  trusted,
} from '../../core/diagnostics/index.ts';
import type { InputObject } from '../../core/model/object.ts';
import { formatPath, mapItems, type Value, type ValueMap } from '../../core/model/value.ts';
import { enumerated } from '../../core/text/clip.ts';
import type { Location } from '../../core/text/line-index.ts';
import { type Paint, plain } from '../../core/text/paint.ts';
import { visible, visibleOnOneLine } from '../../core/text/visible.ts';
import { type CoverageItem, missedPhrase } from '../../describe/coverage/index.ts';
import { isGenerated } from '../../describe/instances/index.ts';
import { toJsonText, toYaml } from '../../yaml/emit/index.ts';
import { createLocator, formatDiagnosticsJson, type Locator, locationOf } from '../../yaml/locate/index.ts';
import { commentOf } from '../diff/index.ts';
import type { CoveredSide } from './covered.ts';
import type { GatePlace, Level } from './effects.ts';
import { type GateChange, type KroAnswer, rankOf, type Verdict } from './verdict.ts';

/** What kro does with the update of the RGD, in words. */
const KRO: Readonly<Record<KroAnswer, Text>> = {
  accepts: composeText`accepts the update`,
  refuses: composeText`refuses the update: the CRD and the instances stay as they are`,
  ignores: composeText`accepts the update, and does not write the changed schema to the CRD`,
  'not-asked': composeText`is not asked to update an RGD`,
};

const COLOURS = { none: 'green', patch: 'green', minor: 'yellow', major: 'red', unknown: 'red' } as const;

/** Returns the highest of the levels; `none` without any. */
const highestLevel = (verdicts: readonly Verdict[]): Level =>
  verdicts.reduce<Level>((most, { level }) => (rankOf(level) > rankOf(most) ? level : most), 'none');

/** Returns the verdicts as text: the level of each RGD first. Unchanged RGDs are only counted. */
export function verdictText(verdicts: readonly Verdict[], paint: Paint = plain): string {
  const locator = createLocator();
  const changed = verdicts.filter(({ level }) => level !== 'none');
  const blocks = changed.map((one) => {
    const [head, ...lines] = linesOf(one, locator);
    const first = `${paint(COLOURS[one.level], one.level)}: ${visibleOnOneLine(head ?? '')}`;
    return [first, ...lines.map((line) => `  ${visibleOnOneLine(line)}`), ...exampleLines(one)].join('\n');
  });
  const left = verdicts.length - changed.length;
  const unchanged = left === 0 ? [] : [`${paint('green', 'none')}: ${counted(left, 'unchanged RGD')}`];
  return [...blocks, ...unchanged].map((block) => `${block}\n`).join('');
}

function linesOf(verdict: Verdict, locator: Locator): Text[] {
  const [first, ...others] = verdict.changes;
  const { name, kro, rejected } = verdict;
  if (first === undefined) return [composeText`ResourceGraphDefinition/${name}`];
  const lines = [composeText`ResourceGraphDefinition/${name}: ${first.what}`];
  if (first.before !== undefined) lines.push(composeText`old: ${placeText(first.before, locator)}`);
  if (first.after !== undefined) lines.push(composeText`new: ${placeText(first.after, locator)}`);
  lines.push(composeText`kro: ${KRO[kro]}`);
  if (rejected.length > 0) lines.push(composeText`the new schema rejects: ${rejectedText(rejected)}`);
  lines.push(composeText`compared: ${comparedText(verdict)}`);
  for (const line of coveredLines(verdict)) lines.push(line);
  if (others.length > 0) lines.push(composeText`other changes: ${countsText(others)}`);
  lines.push(composeText`to do: ${first.advice}`);
  return lines;
}

/** Returns the instance that shows the change that decides, if nobody has written it. */
const exampleOf = ({ changes }: Verdict): InputObject | undefined => {
  const shownBy = changes[0]?.shownBy;
  return shownBy !== undefined && isGenerated(shownBy) ? shownBy : undefined;
};

function exampleLines(verdict: Verdict): string[] {
  const example = exampleOf(verdict);
  if (example === undefined) return [];
  const lines = visible(toYaml([example.object]))
    .trimEnd()
    .split('\n');
  return ['  the smallest generated instance that shows it:', ...lines.map((line) => `    ${line}`)];
}

function rejectedText(rejected: readonly InputObject[]): Text {
  const existing = rejected.filter((input) => !isGenerated(input));
  const generated = rejected.length - existing.length;
  const names = existing.length === 0 ? [] : [enumerated(existing.map(instanceText), 5)];
  const counts = generated === 0 ? [] : [counted(generated, 'generated instance')];
  return joinTexts([...names, ...counts], ', ');
}

const instanceText = (input: InputObject): Text => composeText`${shownTitleOf(input)}${fileText(input)}`;

const fileText = ({ source }: InputObject): Text =>
  source === undefined ? composeText`` : composeText` (${trusted.file(source.file)})`;

function comparedText({ compared, generated, notCompared, generatedNotCompared, isCut, pending }: Verdict): Text {
  const parts = [composeText`${counted(compared, 'instance')} and ${counted(generated, 'generated instance')}`];
  const left: Text[] = [];
  if (notCompared > 0) left.push(counted(notCompared, 'instance'));
  if (generatedNotCompared > 0) left.push(counted(generatedNotCompared, 'generated instance'));
  if (left.length > 0) {
    parts.push(composeText`not compared, because the old version does not render them: ${joinTexts(left, ' and ')}`);
  }
  if (isCut) parts.push(composeText`more instances could be generated`);
  if (pending.length > 0)
    parts.push(composeText`not compared, because they are pending: ${counted(pending.length, 'node')}`);
  return joinTexts(parts, '; ');
}

/** How many items that no instance covered are listed. */
const MOST_LISTED = 5;

/** Returns what the compared instances covered, and what they did not; nothing if there was nothing to compare. */
function coveredLines({ covered: { before, after, optional }, compared, generated }: Verdict): Text[] {
  if (compared + generated === 0) return [];
  const counts = composeText`${before.reached} of ${before.all} branches of the old version, ${after.reached} of ${after.all} of the new one, ${optional.reached} of ${counted(optional.all, 'optional field')}`;
  const missed = [
    ...before.missed.map((item) => composeText`old ${missedText(item)}`),
    ...after.missed.map((item) => composeText`new ${missedText(item)}`),
    ...optional.missed.map((path) => composeText`optional field ${trusted.field(['spec', ...path])}`),
  ];
  const lines = [composeText`covered: ${counts}`];
  if (missed.length === 0) return lines;
  const more = missed.length > MOST_LISTED ? composeText`; and ${missed.length - MOST_LISTED} more` : '';
  lines.push(composeText`not covered: ${joinTexts(missed.slice(0, MOST_LISTED), '; ')}${more}`);
  return lines;
}

const missedText = ({ file, line, column, node, measure, what }: CoverageItem): Text =>
  composeText`${trusted.file(file)}:${line}:${column} node ${trusted.definition(node)}: ${trusted.definition(missedPhrase({ measure, what }))}`;

function countsText(changes: readonly GateChange[]): Text {
  const levels = (['major', 'unknown', 'minor', 'patch'] as const).flatMap((level) => {
    const count = changes.filter((one) => one.level === level).length;
    return count === 0 ? [] : [composeText`${count} ${level}`];
  });
  return joinTexts(levels, ', ');
}

const located = ({ source, path }: GatePlace, locator: Locator): Location | undefined =>
  locationOf(locator, source, path);

function placeText(place: GatePlace, locator: Locator): Text {
  const at = located(place, locator);
  const field = trusted.field(place.path);
  return at === undefined ? field : composeText`${trusted.file(at.file)}:${at.line}:${at.column} ${field}`;
}

/** Returns the verdicts as Markdown, for a comment or a release note. */
export function verdictMarkdown(verdicts: readonly Verdict[]): string {
  const locator = createLocator();
  const changed = verdicts.filter(({ level }) => level !== 'none');
  const left = verdicts.length - changed.length;
  const unchanged = left === 0 ? '' : ` ${counted(left, 'RGD')} unchanged.`;
  const rows = changed.map((one) => {
    const [first] = one.changes;
    const cells = [
      composeText`**${one.level}**`,
      one.name,
      first?.what ?? composeText``,
      KRO[one.kro],
      first?.advice ?? composeText``,
    ];
    return `| ${cells.map(cellText).join(' | ')} |\n`;
  });
  const table =
    rows.length === 0 ? '' : `\n| | RGD | change | kro | to do |\n| --- | --- | --- | --- | --- |\n${rows.join('')}`;
  const start = `**${highestLevel(verdicts)}**.${unchanged}\n${table}`;
  return commentOf(start, changed, {
    block: (one) => detailsOf(one, locator),
    rest: (some) => `${counted(some.length, 'RGD')} more, without details here.\n`,
  });
}

const cellText = (text: Text): string => visibleOnOneLine(text).replaceAll('|', String.raw`\|`);

function detailsOf(verdict: Verdict, locator: Locator): string {
  const [head = '', ...lines] = linesOf(verdict, locator);
  const example = exampleOf(verdict);
  const list = lines.map((line) => `- ${visibleOnOneLine(line)}\n`).join('');
  const yaml = example === undefined ? '' : `\n\`\`\`yaml\n${visible(toYaml([example.object]))}\`\`\`\n`;
  return `<details><summary>${htmlText(visibleOnOneLine(`${verdict.level}: ${head}`))}</summary>\n\n${list}${yaml}\n</details>\n`;
}

const htmlText = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** Returns the verdicts as data: data/compat.schema.json describes it. */
function verdictValue(verdicts: readonly Verdict[]): ValueMap {
  const locator = createLocator();
  return {
    version: 1n,
    level: highestLevel(verdicts),
    rgds: verdicts.map((one) => rgdValue(one, locator)),
  };
}

function rgdValue(verdict: Verdict, locator: Locator): ValueMap {
  const { name, kind, level, kro, rejected, changes, covered } = verdict;
  return {
    name,
    kind,
    level,
    kro,
    rejected: rejected.map((input) =>
      isGenerated(input) ? { generated: input.object } : { instance: shownTitleOf(input) },
    ),
    compared: BigInt(verdict.compared),
    generated: BigInt(verdict.generated),
    notCompared: BigInt(verdict.notCompared),
    generatedNotCompared: BigInt(verdict.generatedNotCompared),
    moreToGenerate: verdict.isCut,
    pendingNodes: BigInt(verdict.pending.length),
    covered: {
      old: sideValue(covered.before),
      new: sideValue(covered.after),
      optionalFields: {
        reached: BigInt(covered.optional.reached),
        all: BigInt(covered.optional.all),
        missed: covered.optional.missed.map((path) => formatPath(['spec', ...path])),
      },
    },
    changes: changes.map((one) => changeValue(one, locator)),
  };
}

const sideValue = ({ reached, all, missed }: CoveredSide): ValueMap => ({
  reached: BigInt(reached),
  all: BigInt(all),
  missed: missed.map(({ file, line, column, node, measure, what }) => ({
    file,
    line: BigInt(line),
    column: BigInt(column),
    node,
    measure,
    what,
  })),
});

function changeValue(one: GateChange, locator: Locator): ValueMap {
  const { shownBy } = one;
  const value: ValueMap = { change: one.change, level: one.level, message: one.what, advice: one.advice };
  if (one.before !== undefined) value.before = placeValue(one.before, locator);
  if (one.after !== undefined) value.after = placeValue(one.after, locator);
  if (shownBy !== undefined && isGenerated(shownBy)) value.generated = shownBy.object;
  else if (shownBy !== undefined) value.instance = shownTitleOf(shownBy);
  return value;
}

function placeValue(place: GatePlace, locator: Locator): ValueMap {
  const at = located(place, locator);
  const field = formatPath(place.path);
  return at === undefined ? { field } : { field, file: at.file, line: BigInt(at.line), column: BigInt(at.column) };
}

/** Returns the verdicts, the diagnostics and the ledger as one JSON object. */
export function compatJson(verdicts: readonly Verdict[], diagnostics: readonly Diagnostic[], ledger: ValueMap): string {
  const listed = withIntegers(JSON.parse(formatDiagnosticsJson(diagnostics)));
  return visible(`${toJsonText({ ...verdictValue(verdicts), diagnostics: listed, ledger }, 2)}\n`);
}

/** Returns a value of JSON whose numbers, which are lines and counts, are integers. */
function withIntegers(value: Value): Value {
  if (typeof value === 'number') return BigInt(value);
  return mapItems(value, withIntegers);
}
