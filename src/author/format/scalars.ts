import { ownValue } from '../../core/model/value.ts';
import { isExpression, type Part, partsOf } from '../../kro/compile/index.ts';
import { markersOf } from '../../kro/simpleschema/index.ts';
import { columnOf, type Edit, lineBreakOf, lineStart } from '../../yaml/edit/index.ts';
import { yamlScalar } from '../../yaml/emit/index.ts';
import { isBlockScalar, nodeAt, type ScalarNode, scalarTextOf, type YamlNode } from '../../yaml/tree/index.ts';
import { celLines, celText, type SpacedToken, spacedTokens } from './cel.ts';

/** The length of a line from which on its expression is broken. */
const WIDTH = 100;

interface ScalarContext {
  node: ScalarNode;
  isFlow: boolean;
  /** The column of its key or dash. */
  column: number;
  value: string;
}

export function rgdEdits(text: string, root: YamlNode): Edit[] {
  const at = (...path: string[]): ScalarContext[] => sitesIn(text, nodeAt(root, path));
  const fields = [...at('spec', 'schema', 'spec'), ...at('spec', 'schema', 'types')];
  return [
    ...fields.flatMap((site) => (isOneLine(text, site) ? lineEdits(site, formatField(site.value)) : [])),
    ...[...at('spec', 'schema', 'status'), ...at('spec', 'resources')].flatMap((site) => expressionEdits(text, site)),
  ];
}

export function setEdits(text: string, root: YamlNode): Edit[] {
  const nodes = ['resources', 'resourcesTemplate'].flatMap((key) => sitesIn(text, nodeAt(root, ['spec', key])));
  return nodes.flatMap(({ node, value }): Edit[] => {
    const { innerStart: start, innerEnd: end } = node;
    // Escapes in double quotes may hide the end of an action.
    if (!value.includes('<<') || (node.style === 'double' && text.slice(start, end).includes('\\'))) return [];
    return [{ start, end, text: formatActions(text.slice(start, end)) }];
  });
}

function sitesIn(text: string, node: YamlNode | undefined, isFlow = false, column = 0): ScalarContext[] {
  if (node === undefined) return [];
  if (node.kind === 'scalar') {
    const isText = ['plain', 'single', 'double', 'literal', 'folded'].includes(node.style) && node.tag === undefined;
    return isText ? [{ node, isFlow, column, value: scalarTextOf(text, node).value }] : [];
  }
  const inFlow = isFlow || node.flow;
  const values =
    node.kind === 'list'
      ? node.items.map(({ dash, value }) => ({ at: dash, value }))
      : node.entries.map(({ key, value }) => ({ at: key.start, value }));
  return values.flatMap(({ at, value }) => sitesIn(text, value, inFlow, inFlow ? 0 : columnOf(text, at)));
}

/** Reports whether a scalar is on one line, as its value is. */
const isOneLine = (text: string, { node, value }: ScalarContext): boolean =>
  !isBlockScalar(node) && !/[\n\r]/.test(value + text.slice(node.start, node.end));

/** Writes another value, with quotes only if they are necessary. */
function lineEdits({ node, isFlow, value }: ScalarContext, changed: string): Edit[] {
  const { start, end, style } = node;
  if (value === changed && (style === 'plain' || isFlow)) return [];
  const plain = yamlScalar(changed);
  const isQuoted = /^["']/.test(plain);
  const written = isFlow && !isQuoted && /[[\]{},]/.test(plain) ? `"${plain}"` : plain;
  // In brackets a text keeps its quotes.
  if (isFlow && style !== 'plain' && !/^["']/.test(written)) return [{ start, end, text: `"${plain}"` }];
  return [{ start, end, text: written }];
}

interface Expression {
  source: string;
  start: number;
  tokens: readonly SpacedToken[];
}

function expressionEdits(text: string, site: ScalarContext): Edit[] {
  const { value, node } = site;
  if (!value.includes('${')) return [];
  const parts = partsOf(value);
  const found = new Map<Part, Expression>();
  for (const part of parts) {
    if (!isExpression(part)) continue;
    const { source, start } = part;
    const tokens = spacedTokens(source);
    if (tokens !== undefined) found.set(part, { source, start, tokens });
  }
  const lines = brokenLines(text, site, [...found.values()]);
  if (lines.length > 1) return foldedEdits(text, site, lines);
  if (!isOneLine(text, site)) {
    const { offsets } = scalarTextOf(text, node);
    return [...found.values()].flatMap((expression) => gapEdits(text, node, offsets, expression));
  }
  const changed = parts.map((part) => {
    if (!isExpression(part)) return part.text;
    const expression = found.get(part);
    return `\${${expression === undefined ? part.source : celText(expression.source, expression.tokens)}}`;
  });
  return parts.length === 0 ? [] : lineEdits(site, changed.join(''));
}

/** Returns the lines of a scalar that is one expression and too long for its line; empty for others. */
function brokenLines(text: string, site: ScalarContext, [only]: readonly Expression[]): string[] {
  const { value, node, column, isFlow } = site;
  const isWhole = only !== undefined && only.start === 2 && only.source.length + 3 === value.length;
  if (!isWhole || isFlow || /[\n\r]/.test(value)) return [];
  const oneLine = isOneLine(text, site);
  if (!oneLine && !isOneFolded(text, node)) return [];
  const before = oneLine ? node.start - lineStart(text, node.start) : column + 2;
  const written = `\${${celText(only.source, only.tokens)}}`;
  const isLong = before + (oneLine ? yamlScalar(written) : written).length > WIDTH;
  return isLong ? celLines(only.source, only.tokens, WIDTH - column - 5) : [];
}

/** Reports whether a scalar is one line after `>-`. */
const isOneFolded = (text: string, { style, chomp, innerStart, innerEnd }: ScalarNode): boolean =>
  style === 'folded' && chomp === '-' && !/[\n\r]/.test(text.slice(innerStart, innerEnd).trimEnd());

/** Writes an expression on several lines after `>-`, which joins them with spaces. */
function foldedEdits(text: string, { node, column }: ScalarContext, lines: readonly string[]): Edit[] {
  const lineBreak = lineBreakOf(text);
  const block = `\${${lines.join('\n')}}`.replace(/^/gm, ' '.repeat(column + 2)).replaceAll('\n', lineBreak);
  if (isBlockScalar(node)) {
    const end = node.innerStart + text.slice(node.innerStart, node.innerEnd).trimEnd().length;
    return [{ start: node.innerStart, end, text: block }];
  }
  const end = /[\r\n]|$/.exec(text.slice(node.end))?.index ?? 0;
  const behind = node.end + end;
  return [
    { start: node.start, end: node.end, text: '>-' },
    { start: behind, end: behind, text: `${lineBreak}${block}` },
  ];
}

/** Changes the spaces of an expression of several lines, whose line breaks stay. */
function gapEdits(text: string, node: ScalarNode, offsets: readonly number[], expression: Expression): Edit[] {
  const { source, start, tokens } = expression;
  // A colon and a space would end a plain text.
  if (node.style === 'plain' && tokens.some((token) => source[token.start] === ':')) return [];
  const ends = [0, ...tokens.map(({ end }) => end)];
  const next = [...tokens, { start: source.length, space: '' }];
  return next.flatMap((token, index): Edit[] => {
    const [from, to] = [offsets[start + (ends[index] as number)], offsets[start + token.start]] as [number, number];
    const written = text.slice(from, to);
    return written === token.space || /[\n\r\\]/.test(written) || written.trim() !== ''
      ? []
      : [{ start: from, end: to, text: token.space }];
  });
}

/** Lists, maps and the name of a type, with spaces between them. */
const TYPE = /^\s*(?:(?:\[\]|map\[string\])\s*)*[A-Za-z_]\w*\s*$/;

/** Returns a field of a schema with canonical spaces: `string | default="x" description="y"`. */
function formatField(field: string): string {
  const bar = field.indexOf('|');
  const written = bar < 0 ? field : field.slice(0, bar);
  if (!TYPE.test(written)) return field;
  const type = written.replace(/\s+/g, '');
  if (bar < 0) return type;
  const markers = markersOf(field).map(({ name, offset, end }) => `${name}=${field.slice(offset, end)}`);
  return markers.length === 0 ? field : `${type} | ${markers.join(' ')}`;
}

/** The strings of a template, by their quotes. */
const STRINGS: Readonly<Record<string, RegExp>> = {
  '"': /"(?:[^"\\\n\r]|\\[^\n\r])*"/y,
  "'": /'(?:[^'\\\n\r]|\\[^\n\r])*'/y,
  '`': /`[^`]*`/y,
};

/** Returns a template with one space inside of each `<< >>`. Comments and actions of several lines do not change. */
function formatActions(template: string): string {
  let result = '';
  let from = 0;
  for (let open = template.indexOf('<<'); open >= 0; open = template.indexOf('<<', from)) {
    const close = actionEnd(template, open + 2);
    if (close < 0) break;
    result += template.slice(from, open) + formatAction(template.slice(open, close));
    from = close;
  }
  return result + template.slice(from);
}

/** Returns the end of an action, after `>>`; -1 if it is not closed. */
function actionEnd(template: string, start: number): number {
  /** The quotes that do not close, with the end of the text that was searched: each text is searched once. */
  const unclosed = new Map<string, number>();
  for (let at = start; at < template.length; ) {
    if (template.startsWith('>>', at)) return at + 2;
    at += stringAt(template, at, unclosed)?.length ?? 1;
  }
  return -1;
}

/** Returns the string that begins at an offset. */
function stringAt(template: string, at: number, unclosed: Map<string, number>): string | undefined {
  const quote = template.charAt(at);
  const pattern = ownValue(STRINGS, quote);
  if (pattern === undefined || at < (unclosed.get(quote) ?? 0)) return undefined;
  pattern.lastIndex = at;
  const found = pattern.exec(template)?.[0];
  if (found === undefined) unclosed.set(quote, quote === '`' ? template.length : lineEndAt(template, at));
  return found;
}

function lineEndAt(text: string, at: number): number {
  const length = text.slice(at).search(/[\r\n]/);
  return length < 0 ? text.length : at + length;
}

function formatAction(action: string): string {
  const [, left = '', inner = '', right = ''] = /^<<(-(?=\s))?([\s\S]*?)(\s-)?>>$/.exec(action) ?? [];
  const text = inner.trim();
  if (text === '' || text.startsWith('/*') || /[\n\r]/.test(action)) return action;
  return `<<${left} ${text} ${right.trim()}>>`;
}
