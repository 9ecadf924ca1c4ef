import type { DrawOptions } from './layout.ts';
import {
  conditionsOf,
  isExternal,
  labelOf,
  linesOf,
  type Picture,
  type PictureNode,
  type State,
  titleOfPicture,
  tooltipOf,
} from './picture.ts';

/** Fill, text and line colours that are legible on light and dark pages. */
const CLASSES = [
  'classDef included fill:#d3f5dc,stroke:#1a7f37,color:#0b3d1a',
  'classDef skipped fill:#eaeef2,stroke:#8c959f,color:#57606a',
  'classDef pending fill:#fff3c4,stroke:#9a6700,color:#4d3300',
  'classDef failed fill:#ffd7d5,stroke:#cf222e,color:#5c0a10',
  'classDef mixed fill:#ddf4ff,stroke:#0969da,color:#0a3069',
  'classDef conditional stroke-dasharray:5 4',
  'classDef external stroke-dasharray:2 3',
];

/**
 * Returns a Mermaid flowchart, which GitHub and GitLab draw in Markdown. Collections are boxes with double sides,
 * external references have round ends, conditional nodes broken lines, and a dotted arrow leads to the RGD that renders
 * a node.
 */
export function mermaidText(
  pictures: readonly Picture[],
  { direction = 'LR', edgeLabels = false }: DrawOptions = {},
): string {
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
  const used = CLASSES.filter((definition) =>
    classed.some((line) => definition.startsWith(`classDef ${line.split(' ').at(-1)} `)),
  );
  return `${[...lines, ...used.map((line) => `  ${line}`), ...classed].join('\n')}\n`;
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

const FILLS: Readonly<Record<State, string>> = {
  included: '#d3f5dc',
  skipped: '#eaeef2',
  pending: '#fff3c4',
  failed: '#ffd7d5',
  mixed: '#ddf4ff',
};

/** Returns a digraph of Graphviz, with a cluster for each RGD. */
export function dotText(
  pictures: readonly Picture[],
  { direction = 'LR', edgeLabels = false }: DrawOptions = {},
): string {
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
  const styles = ['filled', ...(isExternal(node) ? ['dotted', 'rounded'] : [])];
  if (node.conditions.length > 0) styles.push('dashed');
  if (styles.length > 1) attributes.push(`style="${styles.join(',')}"`);
  if (isExternal(node)) attributes.push('shape=oval');
  if (node.kind === 'collection') attributes.push('peripheries=2');
  if (node.outcome !== undefined) attributes.push(`fillcolor="${FILLS[node.outcome]}"`);
  if (node.conditions.length > 0) attributes.push(`tooltip=${quoted(conditionsOf(node))}`);
  return attributes.join(', ');
}

/** Escapes backslashes and line breaks. */
const quoted = (text: string): string =>
  `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\r', '').replaceAll('\n', '\\n')}"`;
