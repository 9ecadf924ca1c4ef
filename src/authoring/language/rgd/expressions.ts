import type { Path } from '../../../core/model/value.ts';
import { type ExpressionField, loosePartsOf } from '../../../kro/compile/index.ts';
import {
  type ScalarNode,
  scalarTextOf,
  textOffsetAt,
  valueOffsetAt,
  walkTree,
  type YamlNode,
} from '../../../yaml/tree/index.ts';

/** An expression of an RGD in the text, which may be incomplete. */
export interface WrittenExpression {
  source: string;
  closed: boolean;
  place: ExpressionField;
  /** The index of its node; undefined in the status. */
  node: number | undefined;
  /** The path of its scalar. */
  path: Path;
  scalar: ScalarNode;
  /** Whether it is the whole scalar. */
  standalone: boolean;
  /** Converts an offset of the source to one of the text. */
  textOffset(offset: number): number;
  /** Converts an offset of the text to one of the source. */
  sourceOffset(offset: number): number;
}

/** Returns all expressions of an RGD, or of another definition with its own places, in the order of the text. */
export function expressionsOf(
  text: string,
  root: YamlNode,
  placeOf: (path: Path) => Pick<WrittenExpression, 'place' | 'node'> | undefined = placeInRgd,
): WrittenExpression[] {
  const expressions: WrittenExpression[] = [];
  walkTree(root, (node, path) => {
    if (node.kind !== 'scalar' || node.style === 'empty') return;
    const where = placeOf(path);
    if (where === undefined || !text.slice(node.start, node.end).includes('${')) return;
    const written = scalarTextOf(text, node);
    const parts = loosePartsOf(written.value);
    for (const { source, start, closed } of parts) {
      const isWhole = start === 2 && written.value.length === start + source.length + (closed ? 1 : 0);
      expressions.push({
        ...{ ...where, source, closed, path, scalar: node, standalone: parts.length === 1 && isWhole },
        textOffset: (offset) => textOffsetAt(written, start + offset),
        sourceOffset: (offset) => valueOffsetAt(written, offset) - start,
      });
    }
  });
  return expressions;
}

/** Returns the position type of an expression by the path of its scalar. */
function placeInRgd(path: Path): Pick<WrittenExpression, 'place' | 'node'> | undefined {
  const [spec, part, third, fourth] = path;
  if (spec !== 'spec') return undefined;
  if (part === 'schema' && third === 'status') return { place: 'status', node: undefined };
  if (part !== 'resources' || typeof third !== 'number') return undefined;
  if (fourth === 'template' || fourth === 'externalRef') return { place: 'template', node: third };
  if (fourth === 'forEach' || fourth === 'includeWhen' || fourth === 'readyWhen') return { place: fourth, node: third };
  return undefined;
}

/** Returns the expression around an offset of the text, ends included. */
export const writtenAt = (expressions: readonly WrittenExpression[], offset: number): WrittenExpression | undefined =>
  expressions.find(({ textOffset, source, closed }) => {
    const end = textOffset(source.length);
    return offset >= textOffset(0) && (offset <= end || (!closed && offset <= end + 1));
  });
