import styles from '../../../data/graph-styles.json';
import type { DrawOptions } from './layout.ts';
import { conditionsOf, isExternal, labelOf, linesOf, type Picture, titleOfPicture, tooltipOf } from './picture.ts';

type PictureNode = Picture['nodes'][number];

/** Returns a Mermaid flowchart. A dotted arrow leads to the RGD that renders a node. */
export function mermaidText(pictures: readonly Picture[], options: DrawOptions = {}): string {
  const { direction = 'LR', edgeLabels = false } = options;
  const lines = [`flowchart ${direction}`];
  pictures.forEach((picture, at) => {
    lines.push(`  subgraph g${at}["${escaped(titleOfPicture(picture))}"]`);
    picture.nodes.forEach((node, index) => {
      lines.push(`    ${nameOf(at, index)}${boxOf(node, pictures)}`);
    });
    picture.edges.forEach(([from, to], index) => {
      const label = edgeLabels ? labelOf(picture.reads?.[index] ?? []) : [];
      const text = label.length === 0 ? '' : `|"${label.map(escaped).join('<br/>')}"|`;
      lines.push(`    ${nameOf(at, from)} -->${text} ${nameOf(at, to)}`);
    });
    lines.push('  end');
  });
  pictures.forEach((picture, at) => {
    picture.nodes.forEach(({ chained }, index) => {
      if (chained !== undefined) lines.push(`  ${nameOf(at, index)} -.-> g${chained}`);
    });
  });
  const classed = pictures.flatMap((picture, at) =>
    picture.nodes.flatMap((node, index) => classesOf(node).map((name) => `  class ${nameOf(at, index)} ${name}`)),
  );
  const used = Object.entries({ ...styles.states, ...styles.borders }).flatMap(([name, style]) => {
    const text = Object.entries(style).map(([key, value]) => `${key}:${value}`);
    return classed.some((line) => line.endsWith(` ${name}`)) ? `  classDef ${name} ${text.join(',')}` : [];
  });
  return `${[...lines, ...used, ...classed].join('\n')}\n`;
}

const nameOf = (picture: number, node: number): string => `n${picture}_${node}`;

function boxOf(node: PictureNode, pictures: readonly Picture[]): string {
  const text = `"${linesOf(node, pictures).map(escaped).join('<br/>')}"`;
  if (isExternal(node)) return `([${text}])`;
  return node.kind === 'collection' ? `[[${text}]]` : `[${text}]`;
}

function classesOf(node: PictureNode): string[] {
  return [
    ...(node.conditions.length > 0 ? ['conditional'] : isExternal(node) ? ['external'] : []),
    ...(node.outcome === undefined ? [] : [node.outcome]),
  ];
}

/** Escapes what has a meaning in Mermaid, Markdown or HTML as character references of Mermaid. */
const escaped = (text: string): string => text.replace(/[^\p{L}\p{N} _.,/()-]/gu, (char) => `#${char.codePointAt(0)};`);

export function dotText(pictures: readonly Picture[], options: DrawOptions = {}): string {
  const { direction = 'LR', edgeLabels = false } = options;
  const lines = [
    'digraph rgds {',
    `  graph [rankdir=${direction}, compound=true, fontname="sans-serif"];`,
    '  node [shape=box, style="rounded,filled", fillcolor="#ffffff", fontname="sans-serif", fontsize=11];',
    '  edge [color="#57606a", arrowsize=0.7];',
  ];
  pictures.forEach((picture, at) => {
    lines.push(`  subgraph cluster_${at} {`, `    label=${quoted(titleOfPicture(picture))};`, '    color="#8c959f";');
    picture.nodes.forEach((node, index) => {
      lines.push(`    ${nameOf(at, index)} [${attributesOf(node, pictures)}];`);
    });
    picture.edges.forEach(([from, to], index) => {
      const attributes = edgeAttributes(picture, index, edgeLabels);
      lines.push(`    ${nameOf(at, from)} -> ${nameOf(at, to)}${attributes};`);
    });
    lines.push('  }');
  });
  pictures.forEach((picture, at) => {
    picture.nodes.forEach(({ chained }, index) => {
      const target = chained === undefined ? undefined : pictures[chained];
      if (target === undefined || target.nodes.length === 0) return;
      lines.push(`  ${nameOf(at, index)} -> ${nameOf(chained ?? 0, 0)} [style=dotted, lhead=cluster_${chained}];`);
    });
  });
  return `${[...lines, '}'].join('\n')}\n`;
}

function edgeAttributes({ nodes, edges, reads }: Picture, index: number, isLabelled: boolean): string {
  const [from, to] = edges[index] ?? [0, 0];
  const own = reads?.[index] ?? [];
  if (own.length === 0) return '';
  const tooltip = `tooltip=${quoted(tooltipOf(own, nodes[from], nodes[to]))}`;
  return ` [${isLabelled ? `label=${quoted(labelOf(own).join('\n'))}, fontsize=9, ` : ''}${tooltip}]`;
}

function attributesOf(node: PictureNode, pictures: readonly Picture[]): string {
  const attributes = [`label=${quoted(linesOf(node, pictures).join('\n'))}`];
  const looks = ['filled', ...(isExternal(node) ? ['dotted', 'rounded'] : [])];
  if (node.conditions.length > 0) looks.push('dashed');
  if (looks.length > 1) attributes.push(`style="${looks.join(',')}"`);
  if (isExternal(node)) attributes.push('shape=oval');
  if (node.kind === 'collection') attributes.push('peripheries=2');
  if (node.outcome !== undefined) attributes.push(`fillcolor="${styles.states[node.outcome].fill}"`);
  if (node.conditions.length > 0) attributes.push(`tooltip=${quoted(conditionsOf(node))}`);
  return attributes.join(', ');
}

const quoted = (text: string): string =>
  `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\r', '').replaceAll('\n', '\\n')}"`;
