/** What a name stands for: the place where it is declared. */
export interface Target {
  uri: string;
  start: number;
  end: number;
  role: 'node' | 'iterator' | 'field' | 'type' | 'kind' | 'template' | 'object' | 'input';
  name: string;
}

/** A name in a text, quotes not included, and what it stands for. */
export interface Occurrence {
  start: number;
  end: number;
  target: Target;
  /** It is in an expression. */
  inExpression?: boolean;
}

export const sameTarget = (one: Target, other: Target): boolean => one.uri === other.uri && one.start === other.start;
