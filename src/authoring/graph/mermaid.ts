import { type DrawOptions, isExternal, labelOf, linesOf, titleOfPicture } from './label.ts';
import type { Picture, PictureNode } from './picture.ts';

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
