/** Characters that XML 1.0 cannot contain, even escaped: control characters, unpaired surrogates, and two more. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must be found
const FORBIDDEN = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|\p{Surrogate}/gu;

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
  '\r': '&#13;',
  '\t': '&#9;',
};

const allowed = (text: string): string =>
  text.replace(FORBIDDEN, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Escapes the text of an element. */
export const xmlText = (text: string): string => allowed(text).replace(/[&<>\r]/g, (char) => ESCAPES[char] as string);

/** Returns the attributes of an element, each after a space; undefined ones are omitted. */
export const xmlAttributes = (attributes: Readonly<Record<string, string | number | undefined>>): string =>
  Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(
      ([name, value]) =>
        ` ${name}="${allowed(String(value)).replace(/[&<>"\n\r\t]/g, (char) => ESCAPES[char] as string)}"`,
    )
    .join('');
