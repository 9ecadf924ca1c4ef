/** The target of a name: its declaration. */
export interface Target {
  uri: string;
  start: number;
  end: number;
  role: 'node' | 'iterator' | 'field' | 'type' | 'kind' | 'template' | 'object' | 'input';
  name: string;
}

/** A name in a text, without quotes, and its target. */
export interface Occurrence {
  start: number;
  end: number;
  target: Target;
  /** It is in an expression. */
  inExpression?: boolean;
}

export const sameTarget = (one: Target, other: Target): boolean => one.uri === other.uri && one.start === other.start;
