import { conditionsOf, isExternal, linesOf, titleOfPicture } from './label.ts';
import type { Fate, Picture, PictureNode } from './picture.ts';

const FILLS: Readonly<Record<Fate, string>> = {
  included: '#d3f5dc',
  skipped: '#eaeef2',
  pending: '#fff3c4',
  failed: '#ffd7d5',
  mixed: '#ddf4ff',
};

/** A digraph of Graphviz, with a cluster for each RGD. */
export function dotText(pictures: readonly Picture[]): string {
  const lines = [
    'digraph rgds {',
    '  graph [rankdir=LR, compound=true, fontname="sans-serif"];',
    '  node [shape=box, style="rounded,filled", fillcolor="#ffffff", fontname="sans-serif", fontsize=11];',
    '  edge [color="#57606a", arrowsize=0.7];',
  ];
  pictures.forEach((picture, at) => {
    lines.push(`  subgraph cluster_${at} {`, `    label=${quoted(titleOfPicture(picture))};`, '    color="#8c959f";');
    picture.nodes.forEach((node, index) => {
      lines.push(`    ${nameOf(at, index)} [${attributesOf(node, pictures)}];`);
    });
    for (const [from, to] of picture.edges) lines.push(`    ${nameOf(at, from)} -> ${nameOf(at, to)};`);
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

const nameOf = (picture: number, node: number): string => `n${picture}_${node}`;

function attributesOf(node: PictureNode, pictures: readonly Picture[]): string {
  const attributes = [`label=${quoted(linesOf(node, pictures).join('\n'))}`];
  const styles = ['filled', ...(isExternal(node) ? ['dotted', 'rounded'] : [])];
  if (node.conditions.length > 0) styles.push('dashed');
  if (styles.length > 1) attributes.push(`style="${styles.join(',')}"`);
  if (isExternal(node)) attributes.push('shape=oval');
  if (node.kind === 'collection') attributes.push('peripheries=2');
  if (node.fate !== undefined) attributes.push(`fillcolor="${FILLS[node.fate]}"`);
  if (node.conditions.length > 0) attributes.push(`tooltip=${quoted(conditionsOf(node))}`);
  return attributes.join(', ');
}

/** A backslash starts an escape sequence, and a line break is one. */
const quoted = (text: string): string =>
  `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\r', '').replaceAll('\n', '\\n')}"`;
