/** A read of inputs in an action of a template: `inputs.team.name`, or `get inputs "team"`. */
export interface InputName {
  /** The keys up to and including this name. */
  path: readonly string[];
  /** The start of the name in the text, without quotes. */
  start: number;
  end: number;
}

const ACTION = /<<-?([\s\S]*?)>>/g;
/** Quoted texts, comments, and `inputs` with the keys after it. */
const PART =
  /"(?:[^"\\\n]|\\.)*"|`[^`]*`|\/\*[\s\S]*?\*\/|(?<![\w$.])inputs(?<dots>(?:\.[A-Za-z_]\w*)*)(?<quoted>(?:[ \t]+"[^"\\\n]+")*)/g;
/** Functions that read a key of a map: `get inputs "team"`. */
const LOOKUP = /(?:^|[\s(|])(?:get|index|hasKey)[ \t]+$/;

/** Returns the names of inputs in a text of templates. */
export function inputNamesIn(text: string): InputName[] {
  const found: InputName[] = [];
  for (const action of text.matchAll(ACTION)) {
    const body = action[1] ?? '';
    const from = action.index + action[0].length - 2 - body.length;
    for (const part of body.matchAll(PART)) {
      const { dots, quoted = '' } = part.groups ?? {};
      if (dots === undefined) continue;
      const path: string[] = [];
      const start = from + part.index + 'inputs'.length;
      for (const { 1: name = '', index } of dots.matchAll(/\.(\w+)/g)) {
        path.push(name);
        found.push({ path: [...path], start: start + index + 1, end: start + index + 1 + name.length });
      }
      if (!LOOKUP.test(body.slice(0, part.index))) continue;
      for (const { 1: name = '', index } of quoted.matchAll(/"([^"]+)"/g)) {
        const at = start + dots.length + index + 1;
        path.push(name);
        found.push({ path: [...path], start: at, end: at + name.length });
      }
    }
  }
  return found;
}
