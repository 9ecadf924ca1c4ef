import type { Path, Value } from '../../core/model/value.ts';
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
