import { type Problem, phrase } from '../../core/diagnostics/index.ts';
import { isMap, type Path, setKey, type Value, type ValueMap } from '../../core/model/value.ts';

/** Next line, a line break of YAML 1.1 that JSON does not escape. */
const NEL = '\u0085';

/** Characters that YAML 1.1 rejects in a text and JSON does not escape. */
const CONTROL = /[\x7f-\x84\x86-\x9f\ufffe\uffff]/;
const MARKER = /\u0085(?:---|\.\.\.)[ \u0085]/;
const CONSPICUOUS = /[\x7f-\x9f\ufffe\uffff]/;

/**
 * Returns a template or schema as kro reads it: an API server returns it as JSON, which kro reads as YAML (kro:
 * rgResourceSpec in pkg/graph/builder.go). So a next line character is a line break, which is folded, and other control
 * characters beyond ASCII's first 32 are errors.
 */
export function readAgain<T extends Value>(value: T, path: Path, report: (problem: Problem) => void): T {
  let read: Value = value;
  if (typeof value === 'string') read = text(value, path, report);
  else if (isMap(value)) read = map(value, path, report);
  else if (Array.isArray(value)) {
    const items = value.map((item, index) => readAgain(item, [...path, index], report));
    if (items.some((item, index) => item !== value[index])) read = items;
  }
  return read as T;
}

function map(value: ValueMap, path: Path, report: (problem: Problem) => void): ValueMap {
  const read: ValueMap = {};
  let isSame = true;
  for (const key of Object.keys(value)) {
    const at = [...path, key];
    const known = text(key, at, report);
    if (key.includes(NEL)) report(fault('a key has no line break, which U+0085 is', at));
    const member = value[key] as Value;
    const found = readAgain(member, at, report);
    isSame &&= known === key && found === member;
    setKey(read, known, found);
  }
  return isSame ? value : read;
}

function text(written: string, path: Path, report: (problem: Problem) => void): string {
  if (!CONSPICUOUS.test(written)) return written;
  const [control] = CONTROL.exec(written) ?? [];
  if (control !== undefined) {
    const code = (control.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    report(fault(`the control character U+${code} is not allowed here`, path));
  }
  if (MARKER.test(written)) report(fault('U+0085 is a line break, and a line may not be a document marker', path));
  return written.replace(/ *\u0085[ \u0085]*/g, (breaks) => folded(breaks.split(NEL).length - 1));
}

const fault = (reason: string, path: Path): Problem => ({
  code: 'control-character',
  message: phrase`${reason}: kro reads this part as YAML again`,
  path,
});

const folded = (breaks: number): string => (breaks === 1 ? ' ' : '\n'.repeat(breaks - 1));
