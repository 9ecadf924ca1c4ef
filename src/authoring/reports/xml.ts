/** What XML 1.0 cannot hold, not even escaped: control characters, halves of surrogate pairs, and two more. */
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

/** Text of an element. */
export const xmlText = (text: string): string => allowed(text).replace(/[&<>\r]/g, (char) => ESCAPES[char] as string);

/** The attributes of an element with a space before each; those that are undefined are left out. */
export const xmlAttributes = (attributes: Readonly<Record<string, string | number | undefined>>): string =>
  Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(
      ([name, value]) =>
        ` ${name}="${allowed(String(value)).replace(/[&<>"\n\r\t]/g, (char) => ESCAPES[char] as string)}"`,
    )
    .join('');
