/** What the arguments of diagnostics say. A name never changes its meaning, and a code never loses an argument. */
export const ARGUMENTS = {
  expected: 'The type that the place takes, of CEL or of JSON.',
  got: 'The type that the value has.',
  read: 'The path of the value that is missing, as an expression reads it.',
  output: 'What the program printed that failed.',
} as const satisfies Record<string, string>;

export type ArgumentName = keyof typeof ARGUMENTS;

/** What a message says, as data. */
export type ArgumentsOf<T> = Readonly<Partial<Record<ArgumentName, T>>>;

/** The arguments of each code. Its diagnostics may lack one: a value of a Secret, or a long text, is left out. */
export const ARGUMENTS_OF_CODES = {
  'build-failed': ['output'],
  'field-type': ['expected', 'got'],
  'instance-type': ['expected', 'got'],
  'missing-in-instance': ['read'],
  'rendered-type': ['expected', 'got'],
} as const satisfies Record<string, readonly ArgumentName[]>;
