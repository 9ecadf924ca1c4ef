import type { Value } from '../../core/model/value.ts';
import { clipped } from '../../core/text/clip.ts';
import { greatest } from '../../core/text/extremes.ts';
import { visibleOnOneLine } from '../../core/text/visible.ts';
import { toJsonText } from '../../yaml/emit/index.ts';
import type { Explanation } from './ask.ts';
import type { ExplainedValue } from './evaluate.ts';
import type { Origin } from './field.ts';
import type { ExplainedInstance, ExplainedNode, Verdict } from './node.ts';
import { type Place, placeText } from './place.ts';
import type { ExplainedSet } from './set.ts';
import type { Evaluated, ExplainedExpression } from './value.ts';

/** Colours a text, or returns it unchanged. */
export type Paint = (colour: 'red' | 'green' | 'yellow' | 'bold', text: string) => string;

const COLOURS: Readonly<Record<Verdict, Parameters<Paint>[0] | undefined>> = {
  included: 'green',
  skipped: undefined,
  pending: 'yellow',
  failed: 'red',
};

/** Returns a line of escaped pieces, with colours. */
function row(
  paint: Paint,
  ...pieces: readonly (string | readonly [Parameters<Paint>[0] | undefined, string])[]
): string {
  const texts = pieces.map((piece) => {
    if (typeof piece === 'string') return visibleOnOneLine(piece);
    const [colour, text] = piece;
    return colour === undefined ? visibleOnOneLine(text) : paint(colour, visibleOnOneLine(text));
  });
  return `${texts.join('')}\n`;
}

const MOST_LETTERS = 160;
const oneLine = (text: string): string => clipped(text.replace(/\s*\n\s*/g, ' '), MOST_LETTERS);
const valueText = (value: Value): string => (value === '(hidden)' ? value : oneLine(toJsonText(value)));

/** Formats an explanation as text. */
export function explanationText({ about, details }: Explanation, paint: Paint = (_, text) => text): string {
  if (about === 'set') return setText(details, paint);
  if (about === 'instance') return instanceText(details, paint);
  if (about === 'expression') return valueOfText(details, paint);
  return about === 'node'
    ? nodeText(details, paint)
    : originText(details.object, details.field, details.value, details.origin, paint);
}

/** Formats the value of an expression in an instance, part by part. */
function valueOfText({ instance, verdict, why, expression }: ExplainedValue, paint: Paint): string {
  const state = verdict === 'included' || verdict === 'pending' ? '' : `, ${verdict}: ${oneLine(why)}`;
  const lines = expression === undefined ? [] : evaluatedLines(expression, '  ');
  return row(paint, ['bold', `in ${instance}`], state) + lines.map((line) => row(paint, line)).join('');
}

/** Formats every node of an instance, a line each. */
export function instanceText({ instance, rgd, nodes }: ExplainedInstance, paint: Paint): string {
  const width = greatest(nodes.map(({ id }) => id.length));
  const lines = nodes.map(({ id, verdict, why, objects }) => {
    const rendered =
      objects.length === 0 ? '' : `: ${objects.slice(0, 3).join(', ')}${objects.length > 3 ? ', ...' : ''}`;
    return row(paint, `  ${id.padEnd(width)}  `, [COLOURS[verdict], verdict.padEnd(8)], `  ${oneLine(why)}${rendered}`);
  });
  return row(paint, ['bold', instance], ` (RGD ${rgd})`) + lines.join('');
}

/** Formats the inputs of a ResourceSet, and the objects of each template. */
function setText({ set, verdict, inputs, providers, templates }: ExplainedSet, paint: Paint): string {
  const lines = [row(paint, ['bold', set], ' is ', [COLOURS[verdict], verdict])];
  const addLine = (text: string): number => lines.push(row(paint, text));
  const at = (place: Place | undefined): string => (place === undefined ? '' : `  ${placeText(place)}`);
  for (const one of providers) addLine(`  reads ${one.provider} (${one.verdict})${at(one.place)}`);
  for (const one of inputs) addLine(`  ${one.title} = ${valueText(one.values)}${at(one.place)}`);
  for (const one of templates) {
    addLine(`  ${one.field}${one.step === undefined ? '' : ` (step ${one.step})`}${at(one.place)}`);
    if (one.objects.length === 0) addLine('    makes nothing');
    for (const { object, inputs: title } of one.objects.slice(0, MOST_OBJECTS)) {
      addLine(`    makes ${object}${title === '' ? '' : ` of ${title}`}`);
    }
    if (one.objects.length > MOST_OBJECTS) addLine(`    and ${one.objects.length - MOST_OBJECTS} more`);
  }
  return lines.join('');
}

const MOST_OBJECTS = 20;

/** Formats one node with all details. */
export function nodeText(node: ExplainedNode, paint: Paint): string {
  const { id, kind, verdict, why, place, reads, objects } = node;
  const lines = [row(paint, ['bold', `node ${id}`], ` (${kind}) is `, [COLOURS[verdict], verdict], `: ${why}`)];
  const addLine = (text: string): number => lines.push(row(paint, text));
  if (place !== undefined) addLine(`  ${placeText(place)}`);
  if (reads.length > 0) addLine(`  reads ${reads.map((one) => `${one.id} (${one.verdict})`).join(', ')}`);
  if (objects.length > 0) addLine(`  makes ${objects.slice(0, 20).join(', ')}${objects.length > 20 ? ', ...' : ''}`);
  for (const one of [...node.conditions, ...node.iterators, ...node.expressions]) {
    addLine(`  ${one.field}${one.place === undefined ? '' : `  ${placeText(one.place)}`}`);
    for (const line of evaluatedLines(one, '    ')) addLine(line);
  }
  return lines.join('');
}

function evaluatedLines(one: Evaluated, indentation: string): string[] {
  const result =
    one.value !== undefined
      ? ` = ${valueText(one.value)}`
      : one.missing !== undefined
        ? ` has no value: ${oneLine(one.missing)}`
        : '';
  return [
    `${indentation}${oneLine(one.source)}${result}`,
    ...one.parts.flatMap((part) => evaluatedLines(part, `${indentation}  `)),
  ];
}

const WORDS: Readonly<Record<Origin['from'], string>> = {
  instance: 'given in',
  default: 'the default of',
  literal: 'written in',
  expression: 'computed in',
  observed: 'read of',
  renderer: 'set by render-rgd for',
  inherited: 'inherited by',
  template: 'rendered by',
  input: 'given in',
};

/** Formats the origin of a field, with further origins indented. */
export function originText(object: string, field: string, value: Value, origin: Origin, paint: Paint): string {
  const head = row(paint, ['bold', `${field} of ${object}`], ` = ${valueText(value)}`);
  return (
    head +
    originLines(origin, '  ')
      .map((line) => row(paint, line))
      .join('')
  );
}

function originLines(origin: Origin, indentation: string): string[] {
  const place = origin.place === undefined ? '' : `  ${placeText(origin.place)}`;
  const value = origin.value === undefined ? '' : ` = ${valueText(origin.value)}`;
  const inner = `${indentation}  `;
  const computed: ExplainedExpression | undefined = origin.expression;
  return [
    `${indentation}${WORDS[origin.from]} ${origin.what}${value}${place}`,
    ...(computed === undefined ? [] : evaluatedLines(computed, inner)),
    ...origin.behind.flatMap((one) => originLines(one, inner)),
  ];
}
