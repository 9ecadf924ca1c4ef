import type { CelType, ParsedExpression, Program } from '../../cel/index.ts';
import type { Path, Value } from '../../model/value.ts';

/** A checked expression, ready to run against the frame of its RGD. */
export interface CompiledExpression {
  /** The CEL text, without `${` and `}`. */
  source: string;
  /** Where it stands: the path of its scalar in the RGD object, and its UTF-16 offset in that scalar. */
  path: Path;
  offset: number;
  parsed: ParsedExpression;
  type: CelType;
  program: Program;
  /** The free names it reads, and the select chains that start at them. */
  names: readonly string[];
  paths: readonly { root: string; path: Path; optional: boolean }[];
  /** The nodes it names, iterators resolved to the nodes that their lists name. */
  nodes: readonly number[];
  /** It names an iterator, so each item of the collection has its own value. */
  perItem: boolean;
}

/** A compiled template: literals as they are, expressions where they stand. */
export type TemplateField =
  | { kind: 'literal'; value: Value }
  | { kind: 'map'; entries: readonly (readonly [string, TemplateField])[]; path: Path }
  | { kind: 'list'; items: readonly TemplateField[]; path: Path }
  | { kind: 'expression'; expression: CompiledExpression; expected: CelType; path: Path }
  | { kind: 'text'; parts: readonly (string | CompiledExpression)[]; expected: CelType; path: Path };
