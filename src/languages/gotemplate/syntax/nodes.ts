import type { NumberConstant } from './number.ts';

/** A parsed template. `offset` is the start of a node, in UTF-16 units; texts, keys and strings are bytes. */
export type Node =
  | { type: 'text'; offset: number; text: string }
  /** A pipeline whose value is printed, unless it declares variables. */
  | { type: 'action'; offset: number; pipe: Pipe }
  | BranchNode
  | TemplateNode
  | { type: 'break' | 'continue'; offset: number };

export interface BranchNode {
  type: 'if' | 'with' | 'range';
  offset: number;
  pipe: Pipe;
  body: readonly Node[];
  otherwise: readonly Node[] | undefined;
}

export type TemplateNode = { type: 'template'; offset: number; name: string; pipe: Pipe | undefined };

/** Commands, each of which gets the value of the previous one as its last argument. */
export interface Pipe {
  type: 'pipe';
  offset: number;
  variables: readonly string[];
  /** `=` instead of `:=`. */
  assigns: boolean;
  commands: readonly Command[];
}

export interface Command {
  offset: number;
  /** A function, a field, or a value. */
  first: Operand;
  args: readonly Operand[];
}

export type Operand =
  | Pipe
  /** `.a.b` */
  | { type: 'field'; offset: number; steps: readonly Step[] }
  /** `$x` or `$x.a.b` */
  | { type: 'variable'; offset: number; name: string; steps: readonly Step[] }
  /** `(pipeline).a` or `function.a` */
  | { type: 'chain'; offset: number; of: Pipe | FunctionOperand; steps: readonly Step[] }
  | FunctionOperand
  | { type: 'bool'; offset: number; value: boolean }
  | { type: 'string'; offset: number; value: string }
  | { type: 'number'; offset: number; value: NumberConstant }
  | { type: 'dot' | 'nil'; offset: number };

export type Step = { name: string; offset: number };
export type FunctionOperand = Step & { type: 'function' };

/** The templates of a text by name; the main template is `''`. */
export type Templates = ReadonlyMap<string, readonly Node[]>;
