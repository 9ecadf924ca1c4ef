import { isMap, type Path, type Value } from '../../core/model/value.ts';
import type { CelType, ParsedExpression, Program } from '../../languages/cel/index.ts';

/** A checked expression, ready to run against the frame of its RGD. */
export interface CompiledExpression {
  /** The CEL text, without `${` and `}`. */
  source: string;
  /** Its location: the path of its scalar in the RGD object, and its UTF-16 offset in that scalar. */
  path: Path;
  offset: number;
  parsed: ParsedExpression;
  type: CelType;
  program: Program;
  /** The free names it reads. */
  names: readonly string[];
  /** The nodes that it reads, with iterators resolved to the nodes of their lists. */
  nodes: readonly number[];
  /** It reads an iterator, so each item of the collection has its own value. */
  perItem: boolean;
}

/** A compiled template: literals unchanged, expressions at their locations. */
export type TemplateField =
  | { kind: 'literal'; value: Value }
  | { kind: 'map'; entries: readonly (readonly [string, TemplateField])[]; path: Path }
  | { kind: 'list'; items: readonly TemplateField[]; path: Path }
  | (Filled & { kind: 'expression'; expression: CompiledExpression })
  | (Filled & { kind: 'text'; parts: readonly (string | CompiledExpression)[] });

interface Filled {
  expected: CelType;
  path: Path;
  /** A key above it that kro cannot resolve. */
  outOfReach: string | undefined;
}

/**
 * Returns the key of a path that kro cannot resolve again. kro stores the path of an expression as text
 * (`data["a.b"][0]`) and parses it when it fills the field. It quotes keys with a dot and empty ones, but supports
 * neither brackets in other keys nor quotes in quoted ones (kro: pkg/graph/fieldpath).
 */
export const keyOutOfReach = (path: Path): string | undefined =>
  path.find((step): step is string => typeof step === 'string' && isOutOfReach(step));

export const OUT_OF_REACH = `a key above an expression may have no '[', and no '"' beside a '.'`;

const isOutOfReach = (key: string): boolean => key.includes(key.includes('.') ? '"' : '[');

/** The cost of a part besides its own characters and its indentation: a dash or a colon, quotes, a line end. */
const PART = 16;

/** Returns the approximate literal characters of each object of a template, without the values of its expressions. */
export function literalSize(field: TemplateField, indent = 0): number {
  switch (field.kind) {
    case 'literal':
      return valueSize(field.value, indent);
    case 'map':
      return field.entries.reduce(
        (sum, [key, entry]) => sum + key.length + literalSize(entry, indent + 2),
        PART + indent,
      );
    case 'list':
      return field.items.reduce((sum, item) => sum + literalSize(item, indent + 2), PART + indent);
    case 'text':
      return field.parts.reduce((sum, part) => sum + (typeof part === 'string' ? part.length : 0), PART + indent);
    case 'expression':
      return 0;
  }
}

function valueSize(value: Value, indent: number): number {
  const part = PART + indent;
  if (typeof value === 'string') return part + value.length;
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + valueSize(item, indent + 2), part);
  if (!isMap(value)) return part;
  return Object.keys(value).reduce((sum, key) => sum + key.length + valueSize(value[key] as Value, indent + 2), part);
}
