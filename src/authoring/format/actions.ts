/** An action that begins, ends and stays on one line: `<<- name ->>`. */
const STRINGS = /"(?:[^"\\\n\r]|\\.)*"|`[^`]*`|'(?:[^'\\\n\r]|\\.)*'/y;

/** Returns a template with one space inside of each `<< >>`. Comments and actions of several lines do not change. */
export function formatActions(template: string): string {
  let result = '';
  let from = 0;
  for (let open = template.indexOf('<<'); open >= 0; open = template.indexOf('<<', from)) {
    const close = actionEnd(template, open + 2);
    if (close < 0) break;
    result += template.slice(from, open) + formatAction(template.slice(open, close));
    from = close;
  }
  return result + template.slice(from);
}

/** Returns the end of an action, after `>>`; -1 if it is not closed. */
function actionEnd(template: string, start: number): number {
  for (let at = start; at < template.length; ) {
    if (template.startsWith('>>', at)) return at + 2;
    STRINGS.lastIndex = at;
    at += STRINGS.exec(template)?.[0].length ?? 1;
  }
  return -1;
}

function formatAction(action: string): string {
  const [, left = '', inner = '', right = ''] = /^<<(-(?=\s))?([\s\S]*?)(\s-)?>>$/.exec(action) ?? [];
  const text = inner.trim();
  if (text === '' || text.startsWith('/*') || /[\n\r]/.test(action)) return action;
  return `<<${left} ${text} ${right.trim()}>>`;
}
