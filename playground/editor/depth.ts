/** The deepest nesting that editors color: beyond it, the recursion of their highlighter may run out of stack. */
const DEEPEST = 300;

/** Reports whether a text may be nested too deep to color; it may also report this of text that only looks so. */
export function isDeep(text: string): boolean {
  let [open, indent, isStart] = [0, 0, true];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 10) [indent, isStart] = [0, true];
    // Spaces, and the -, ? and : of nested items in one line.
    else if (isStart && (code === 32 || code === 45 || code === 63 || code === 58)) indent += 1;
    else isStart = false;
    // ( [ { open, and ) ] } close.
    if (code === 40 || code === 91 || code === 123) open += 1;
    else if (open > 0 && (code === 41 || code === 93 || code === 125)) open -= 1;
    if (open > DEEPEST || indent > 2 * DEEPEST) return true;
  }
  return false;
}
