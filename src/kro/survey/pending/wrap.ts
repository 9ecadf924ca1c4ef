/** The minimum number of columns for legible text. */
const NARROWEST = 20;

/** Wraps a text into lines of at most `width` characters; those after the first are indented by two more columns. */
export function wrap(text: string, indentation: string, width: number): string[] {
  const limit = Math.max(width, NARROWEST);
  const lines: string[] = [];
  let line = indentation;
  let isEmpty = true;
  const breakLine = (): void => {
    lines.push(line.trimEnd());
    line = `${indentation}  `;
    isEmpty = true;
  };
  for (const word of text.split(' ')) {
    if (!isEmpty && line.length + 1 + word.length > limit) breakLine();
    let rest = isEmpty ? word : ` ${word}`;
    while (line.length + rest.length > limit) {
      const remaining = limit - line.length;
      line += rest.slice(0, remaining);
      rest = rest.slice(remaining);
      breakLine();
    }
    line += rest;
    isEmpty = false;
  }
  return [...lines, line.trimEnd()];
}
