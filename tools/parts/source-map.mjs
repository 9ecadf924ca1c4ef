const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const VALUE_OF = new Map([...DIGITS].map((digit, value) => [digit, value]));

/**
 * One source map (https://tc39.es/ecma426/) of several, each given as `{ map, line }`: the line at which it begins, from
 * 0 up. A map of sections would say the same, but Node reads none.
 */
export function joinMaps(given) {
  const joined = { version: 3, sources: [], names: [], mappings: '' };
  const encode = encoder();
  const lines = [];
  for (const { map, line } of given) {
    if (line < lines.length) throw new Error(`what begins at line ${line} overlaps what stands before it`);
    while (lines.length < line) lines.push('');
    const decode = decoder();
    for (const text of map.mappings.split(';')) {
      const segments = decode(text).map(([column, source, row, at, name]) => {
        if (source === undefined) return [column];
        const place = [column, source + joined.sources.length, row, at];
        return name === undefined ? place : [...place, name + joined.names.length];
      });
      lines.push(encode(segments));
    }
    joined.sources.push(...map.sources);
    joined.names.push(...map.names);
  }
  return { ...joined, mappings: lines.join(';') };
}

/** The segments of a line with absolute numbers; in the text each is relative to the one before it. */
function decoder() {
  const last = [0, 0, 0, 0, 0];
  return (line) => {
    last[0] = 0;
    if (line === '') return [];
    return line.split(',').map((segment) => {
      const numbers = numbersIn(segment);
      for (const [field, number] of numbers.entries()) last[field] += number;
      return last.slice(0, numbers.length);
    });
  };
}

function encoder() {
  const last = [0, 0, 0, 0, 0];
  return (segments) => {
    last[0] = 0;
    const texts = segments.map((segment) =>
      segment
        .map((number, field) => {
          const text = textOf(number - last[field]);
          last[field] = number;
          return text;
        })
        .join(''),
    );
    return texts.join(',');
  };
}

/** Base64 VLQ: five bits a digit, the lowest first, the sign in the last bit of the number. */
function numbersIn(text) {
  const numbers = [];
  let [number, shift] = [0, 0];
  for (const digit of text) {
    const value = VALUE_OF.get(digit);
    number += (value & 31) << shift;
    shift += 5;
    if (value & 32) continue;
    numbers.push(number & 1 ? -(number >> 1) : number >> 1);
    [number, shift] = [0, 0];
  }
  return numbers;
}

function textOf(number) {
  let rest = number < 0 ? (-number << 1) | 1 : number << 1;
  let text = '';
  do {
    const value = rest & 31;
    rest >>>= 5;
    text += DIGITS[rest > 0 ? value | 32 : value];
  } while (rest > 0);
  return text;
}
