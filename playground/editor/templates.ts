/** A template in a text; `edge` is the length of its closing delimiter. */
export interface TemplateRange {
  readonly from: number;
  readonly to: number;
  readonly edge: number;
}

/** Returns the CEL of `${}` and the templates of `<< >>` in a text. Braces in string literals do not count. */
export function templatesIn(text: string): TemplateRange[] {
  const found: TemplateRange[] = [];
  const start = /\$\{|<</g;
  for (let match = start.exec(text); match !== null; match = start.exec(text)) {
    const to = match[0] === '${' ? endOfCel(text, start.lastIndex) : endOfGo(text, start.lastIndex);
    if (to === undefined) continue;
    found.push({ from: match.index, to, edge: match[0] === '${' ? 1 : 2 });
    start.lastIndex = to;
  }
  return found;
}

function endOfCel(text: string, from: number): number | undefined {
  let depth = 1;
  let quote = '';
  for (let at = from; at < text.length; at += 1) {
    const character = text[at] as string;
    if (quote !== '') {
      if (character === '\\') at += 1;
      else if (character === quote) quote = '';
    } else if (character === '"' || character === "'") quote = character;
    else if (character === '{') depth += 1;
    else if (character === '}') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return undefined;
}

function endOfGo(text: string, from: number): number | undefined {
  const end = text.indexOf('>>', from);
  return end < 0 || text.slice(from, end).includes('<<') ? undefined : end + 2;
}
