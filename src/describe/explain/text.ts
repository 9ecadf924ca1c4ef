import { composeText, HIDDEN, joinTexts, mapText, type Text, trusted } from '../../core/diagnostics/index.ts';
import type { Value } from '../../core/model/value.ts';
import { clipped } from '../../core/text/clip.ts';
import { onOneLine } from '../../core/text/ends.ts';
import { greatest } from '../../core/text/extremes.ts';
import type { Location } from '../../core/text/line-index.ts';
import { type Paint, plain } from '../../core/text/paint.ts';
import { visibleOnOneLine } from '../../core/text/visible.ts';
import { toJsonText } from '../../yaml/emit/index.ts';
import type { ExplainedValue, Explanation } from './ask.ts';
import type { Origin } from './field.ts';
import type { Evaluated, ExplainedInstance, ExplainedNode, Verdict } from './node.ts';
import { locationText } from './package.ts';
import type { ExplainedSet } from './set.ts';

const COLOURS: Readonly<Record<Verdict, Parameters<Paint>[0] | undefined>> = {
  included: 'green',
  skipped: undefined,
  pending: 'yellow',
  failed: 'red',
};

/** Returns a line of escaped pieces, with colours. */
function row(paint: Paint, ...pieces: readonly (Text | readonly [Parameters<Paint>[0] | undefined, Text])[]): string {
  const texts = pieces.map((piece) => {
    if (typeof piece === 'string') return visibleOnOneLine(piece);
    const [colour, text] = piece;
    return colour === undefined ? visibleOnOneLine(text) : paint(colour, visibleOnOneLine(text));
  });
  return `${texts.join('')}\n`;
}

const MOST_LETTERS = 160;
const oneLine = (text: Text): Text =>
  clipped(
    mapText(text, (one) => onOneLine(one)),
    MOST_LETTERS,
  );
/** Values of Secrets are hidden before. */
const valueText = (value: Value): Text => (value === HIDDEN ? HIDDEN : oneLine(trusted.redacted(toJsonText(value))));
const padded = (text: Text, width: number): Text => mapText(text, (one) => one.padEnd(width));
const word = (verdict: Verdict): Text => composeText`${verdict}`;
const shownLocation = (place: Location | undefined): Text =>
  place === undefined ? composeText`` : composeText`  ${locationText(place)}`;
const shortList = (texts: readonly Text[], most: number): Text =>
  composeText`${joinTexts(texts.slice(0, most), ', ')}${texts.length > most ? composeText`, ...` : ''}`;

export function explanationText({ about, details }: Explanation, paint: Paint = plain): string {
  if (about === 'set') return setText(details, paint);
  if (about === 'instance') return instanceText(details, paint);
  if (about === 'expression') return valueOfText(details, paint);
  return about === 'node'
    ? nodeText(details, paint)
    : originText(details.object, details.field, details.value, details.origin, paint);
}

function valueOfText({ instance, verdict, why, expression }: ExplainedValue, paint: Paint): string {
  const isKnown = verdict === 'included' || verdict === 'pending';
  const state = isKnown ? composeText`` : composeText`, ${word(verdict)}: ${oneLine(why)}`;
  const lines = expression === undefined ? [] : evaluatedLines(expression, composeText`  `);
  return row(paint, ['bold', composeText`in ${instance}`], state) + lines.map((line) => row(paint, line)).join('');
}

export function instanceText({ instance, rgd, nodes }: ExplainedInstance, paint: Paint): string {
  const width = greatest(nodes.map(({ id }) => id.length));
  const lines = nodes.map(({ id, verdict, why, objects }) => {
    const rendered = objects.length === 0 ? '' : composeText`: ${shortList(objects, 3)}`;
    const state = [COLOURS[verdict], padded(word(verdict), 8)] as const;
    return row(paint, composeText`  ${padded(id, width)}  `, state, composeText`  ${oneLine(why)}${rendered}`);
  });
  return row(paint, ['bold', instance], rgd === '' ? composeText`` : composeText` (RGD ${rgd})`) + lines.join('');
}

function setText({ set, verdict, inputs, providers, templates }: ExplainedSet, paint: Paint): string {
  const lines = [row(paint, ['bold', set], composeText` is `, [COLOURS[verdict], word(verdict)])];
  const addLine = (text: Text): number => lines.push(row(paint, text));
  for (const one of providers)
    addLine(composeText`  reads ${one.provider} (${word(one.verdict)})${shownLocation(one.place)}`);
  for (const one of inputs.slice(0, MOST_LISTED)) {
    addLine(composeText`  ${one.title} = ${valueText(one.values)}${shownLocation(one.place)}`);
  }
  if (inputs.length > MOST_LISTED) addLine(composeText`  and ${inputs.length - MOST_LISTED} more inputs`);
  for (const one of templates) {
    const step = one.step === undefined ? '' : composeText` (step ${one.step})`;
    addLine(composeText`  ${one.field}${step}${shownLocation(one.place)}`);
    if (one.objects.length === 0) addLine(composeText`    renders nothing`);
    for (const { object, inputs: title } of one.objects.slice(0, MOST_LISTED)) {
      addLine(composeText`    renders ${object}${title === '' ? '' : composeText` for ${title}`}`);
    }
    if (one.objects.length > MOST_LISTED) addLine(composeText`    and ${one.objects.length - MOST_LISTED} more`);
  }
  return lines.join('');
}

/** The maximum number of printed inputs and objects; others are counted. */
const MOST_LISTED = 20;

export function nodeText(node: ExplainedNode, paint: Paint): string {
  const { id, kind, verdict, why, place, reads, objects } = node;
  const state = [COLOURS[verdict], word(verdict)] as const;
  const head = row(paint, ['bold', composeText`node ${id}`], composeText` (${kind}) is `, state, composeText`: ${why}`);
  const lines = [head];
  const addLine = (text: Text): number => lines.push(row(paint, text));
  if (place !== undefined) addLine(shownLocation(place));
  const states = reads.map((one) => composeText`${one.id} (${word(one.verdict)})`);
  if (states.length > 0) addLine(composeText`  reads ${joinTexts(states, ', ')}`);
  if (objects.length > 0) addLine(composeText`  renders ${shortList(objects, MOST_LISTED)}`);
  for (const one of [...node.conditions, ...node.iterators, ...node.expressions]) {
    addLine(composeText`  ${one.field}${shownLocation(one.place)}`);
    for (const line of evaluatedLines(one, composeText`    `)) addLine(line);
  }
  return lines.join('');
}

function evaluatedLines(one: Evaluated, indentation: Text): Text[] {
  const result =
    one.value !== undefined
      ? composeText` = ${valueText(one.value)}`
      : one.missing !== undefined
        ? composeText` has no value: ${oneLine(one.missing)}`
        : one.unshown !== undefined
          ? composeText`: ${one.unshown}`
          : '';
  return [
    composeText`${indentation}${oneLine(one.source)}${result}`,
    ...one.parts.flatMap((part) => evaluatedLines(part, composeText`${indentation}  `)),
  ];
}

const WORDS: Readonly<Record<Origin['from'], Text>> = {
  instance: composeText`given in`,
  default: composeText`the default of`,
  literal: composeText`written in`,
  expression: composeText`computed in`,
  observed: composeText`read of`,
  renderer: composeText`set by render-rgd for`,
  inherited: composeText`inherited by`,
  template: composeText`rendered by`,
  input: composeText`given in`,
};

function originText(object: Text, field: Text, value: Value | undefined, origin: Origin, paint: Paint): string {
  const is = value === undefined ? composeText` is left out` : composeText` = ${valueText(value)}`;
  const head = row(paint, ['bold', composeText`${field} of ${object}`], is);
  const lines = originLines(origin, composeText`  `);
  return head + lines.map((line) => row(paint, line)).join('');
}

function originLines(origin: Origin, indentation: Text): Text[] {
  const value = origin.value === undefined ? '' : composeText` = ${valueText(origin.value)}`;
  const inner = composeText`${indentation}  `;
  return [
    composeText`${indentation}${WORDS[origin.from]} ${origin.what}${value}${shownLocation(origin.place)}`,
    ...(origin.expression === undefined ? [] : evaluatedLines(origin.expression, inner)),
    ...origin.behind.flatMap((one) => originLines(one, inner)),
  ];
}
