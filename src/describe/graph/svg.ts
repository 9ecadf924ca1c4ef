import styles from '../../../data/graph-styles.json';
import { type Box, fitted, widthOf } from './layers.ts';
import { type Direction, type DrawOptions, LABEL_LINE, type Layout, LINE, layoutOf, type Point } from './layout.ts';
import { conditionsOf, isExternal, labelOf, linesOf, type Picture, titleOfPicture, tooltipOf } from './picture.ts';

const MARGIN = 20;
const TITLE = 34;
const MOST_LETTERS = 44;

/** Styles for light and dark colour schemes. Every rule is below a class, because a page may embed the picture. */
const STYLE = `\n${styles.css.join('\n')}\n`;

interface LaidOutPicture {
  /** The full texts of its boxes. */
  whole: string[][];
  /** The parts of them that fit. */
  lines: string[][];
  /** The lines on each arrow. */
  labels: string[][];
  layout: Layout;
}

/** Returns the layout of a picture, with the full texts of its boxes, the parts that fit, and the lines on each arrow. */
export function layoutPicture(
  picture: Picture,
  pictures: readonly Picture[],
  { direction = 'LR', edgeLabels = false }: DrawOptions = {},
): LaidOutPicture {
  const whole = picture.nodes.map((node) => linesOf(node, pictures));
  const lines = whole.map((all) => all.map((line) => fitted(line, MOST_LETTERS)));
  const labels = edgeLabels ? picture.edges.map((_, index) => labelOf(picture.reads?.[index] ?? [])) : [];
  return { whole, lines, labels, layout: layoutOf(picture, lines, { direction, labels }) };
}

/** Returns a self-contained picture, one RGD below the other. */
export function svgText(pictures: readonly Picture[], options: DrawOptions = {}): string {
  const { direction, edgeLabels = false, width } = options;
  const draw = (to: Direction): Sheet => sheetOf(pictures, to, edgeLabels);
  const sheet = draw(direction ?? 'LR');
  if (width === undefined || sheet.width <= width) return written(sheet, sheet.width);
  const other = direction === undefined ? draw('TB') : sheet;
  const narrower = other.width < sheet.width ? other : sheet;
  return written(narrower, Math.min(width, narrower.width));
}

/** Pictures in one drawing. */
interface Sheet {
  pictures: readonly Picture[];
  drawn: readonly (LaidOutPicture & { picture: Picture; top: number })[];
  /** The width of the widest picture. */
  inner: number;
  width: number;
  height: number;
}

function sheetOf(pictures: readonly Picture[], direction: Direction, edgeLabels: boolean): Sheet {
  let top = MARGIN;
  const drawn = pictures.map((picture) => {
    const one = { picture, ...layoutPicture(picture, pictures, { direction, edgeLabels }), top };
    top += one.layout.height + TITLE + 2 * MARGIN;
    return one;
  });
  const inner = drawn.reduce((most, { layout, picture }) => Math.max(most, layout.width, titleWidth(picture)), 200);
  return { pictures, drawn, inner, width: Math.ceil(inner + 4 * MARGIN), height: Math.ceil(top) };
}

function written({ pictures, drawn, inner, width, height }: Sheet, shown: number): string {
  const title = pictures.map(titleOfPicture).join(', ');
  const size = `width="${shown}" height="${Math.ceil((height * shown) / width)}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" class="rgds" role="img" viewBox="0 0 ${width} ${height}" ${size}>
<title>${escaped(title)}</title>
<style>${STYLE}</style>
<defs><marker id="rgds-head" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path class="head" d="M0 0L8 4L0 8z"/></marker></defs>
<rect class="page" width="${width}" height="${height}"/>
${drawn.map((one) => drawPicture(one, inner)).join('')}</svg>
`;
}

const titleWidth = (picture: Picture): number => widthOf(fitted(titleOfPicture(picture), MOST_TITLE)) * 1.2;
const MOST_TITLE = 120;

function drawPicture({ picture, whole, lines, labels, layout, top }: Sheet['drawn'][number], inner: number): string {
  const frame = `<rect class="frame" x="${MARGIN}" y="0" width="${round(inner + 2 * MARGIN)}" height="${round(layout.height + TITLE + MARGIN)}" rx="8"/>`;
  const title = `<text class="title" x="${2 * MARGIN}" y="23">${escaped(fitted(titleOfPicture(picture), MOST_TITLE))}</text>`;
  const arrows = layout.arrows.map((points, index) => {
    const path = `<path class="arrow" marker-end="url(#rgds-head)" d="${curve(points, layout.vertical)}"/>`;
    const label = drawLabel(layout.labels[index], labels[index] ?? []);
    return `${withTooltip(picture, index, path)}${label}\n`;
  });
  const nodes = picture.nodes.map((node, index) =>
    drawNode(node, layout.boxes[index] as Box, lines[index] ?? [], whole[index] ?? []),
  );
  return `<g transform="translate(0 ${round(top)})">${frame}${title}
<g transform="translate(${2 * MARGIN} ${TITLE})">
${arrows.join('')}${nodes.join('')}</g></g>
`;
}

function drawNode(
  node: Picture['nodes'][number],
  box: Box,
  lines: readonly string[],
  whole: readonly string[],
): string {
  const classes = [
    ...(node.conditions.length > 0 ? ['conditional'] : isExternal(node) ? ['external'] : []),
    ...(node.chained === undefined ? [] : ['chained']),
    ...(node.outcome === undefined ? [] : [node.outcome]),
  ];
  const left = round(box.x - box.width / 2);
  const top = round(box.y - box.height / 2);
  const rect = (by: number): string =>
    `<rect class="box" x="${left + by}" y="${top + by}" width="${round(box.width)}" height="${round(box.height)}" rx="${isExternal(node) ? round(box.height / 2) : 5}"/>`;
  const texts = lines.map((line, index) => {
    const style = index === 0 ? '' : index === 1 ? ' class="what"' : ' class="note"';
    return `<text${style} text-anchor="middle" x="${round(box.x)}" y="${round(top + 20 + index * LINE)}">${escaped(line)}</text>`;
  });
  const cut = whole.filter((line, index) => line !== lines[index]);
  const tooltipText = [...cut, conditionsOf(node)].filter((line) => line !== '').join('\n');
  const tooltip = tooltipText === '' ? '' : `<title>${escaped(tooltipText)}</title>`;
  // A collection is drawn as a pile.
  const pile = node.kind === 'collection' || node.kind === 'externalCollection' ? rect(4) : '';
  return `<g class="${classes.join(' ')}">${tooltip}${pile}${rect(0)}${texts.join('')}</g>\n`;
}

/** Draws an arrow with a tooltip; a broad invisible line is easier to hover. */
function withTooltip({ nodes, edges, reads }: Picture, index: number, path: string): string {
  const [from, to] = edges[index] ?? [0, 0];
  const tooltip = tooltipOf(reads?.[index] ?? [], nodes[from], nodes[to]);
  if (tooltip === '') return path;
  const broad = path.replace('class="arrow" marker-end="url(#rgds-head)"', 'class="hit"');
  return `<g><title>${escaped(tooltip)}</title>${broad}${path}</g>`;
}

function drawLabel(middle: Point | undefined, lines: readonly string[]): string {
  if (middle === undefined) return '';
  const top = middle.y - (lines.length * LABEL_LINE) / 2 - 2;
  const texts = lines.map(
    (line, index) =>
      `<text class="label" text-anchor="middle" x="${round(middle.x)}" y="${round(top + 11 + index * LABEL_LINE)}">${escaped(line)}</text>`,
  );
  return texts.join('');
}

/** Returns a line through the points, with a curve between points of different levels. */
function curve(points: readonly Point[], vertical: boolean): string {
  return points
    .map((point, index) => {
      const before = points[index - 1];
      const end = `${round(point.x)} ${round(point.y)}`;
      if (before === undefined) return `M${end}`;
      if (vertical ? before.x === point.x : before.y === point.y) return `L${end}`;
      const [dx, dy] = vertical ? [0, (point.y - before.y) / 2] : [(point.x - before.x) / 2, 0];
      return `C${round(before.x + dx)} ${round(before.y + dy)} ${round(point.x - dx)} ${round(point.y - dy)} ${end}`;
    })
    .join('');
}

const round = (value: number): number => Math.round(value * 10) / 10;

/** Escapes XML text; characters that it cannot contain become U+FFFD. */
const escaped = (text: string): string =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must be found
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu, '\ufffd')
    .replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
