/** Templates and values with what Go makes of them. */
export interface RecordedTemplates {
  inputs: string[];
  templates: RecordedTemplate[];
  /** A value as JSON, and as YAML. */
  values: [string, string][];
}

/** A template, its inputs by their place in the list, its delimiters, and its text; `null` if Go rejects it. */
type RecordedTemplate = [string, number, string, string, string | null];

/** Returns the text of a file with them: the inputs in the first line, and each template and value in its own. */
export function linesOf({ inputs, templates, values }: RecordedTemplates): string {
  return `${[inputs, ...templates, ...values].map((line) => JSON.stringify(line)).join('\n')}\n`;
}

/** Reads such a text. */
export function readLines(text: string): RecordedTemplates {
  const [inputs, ...others] = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown[]);
  return {
    inputs: inputs as string[],
    templates: others.filter(({ length }) => length === 5) as RecordedTemplate[],
    values: others.filter(({ length }) => length === 2) as [string, string][],
  };
}
