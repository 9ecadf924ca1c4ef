import { conditionsOf, type DrawOptions, isExternal, labelOf, linesOf, titleOfPicture, tooltipOf } from './label.ts';
import type { Picture, PictureNode, State } from './picture.ts';

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

const nameOf = (picture: number, node: number): string => `n${picture}_${node}`;

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
