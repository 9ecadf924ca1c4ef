import { describe, expect, it } from 'vitest';
import { scan } from '../../../src/kro/compile/scan.ts';

/** Returns a scan in short form: texts unchanged, expressions in guillemets. */
function found(text: string): string[] | string {
  const scanned = scan(text);
  if (!scanned.ok) return `nested at ${scanned.offset}`;
  return scanned.parts.map((part) => ('source' in part ? `«${part.source}»` : part.text));
}

describe('scan', () => {
  it.each([
    ['plain', ['plain']],
    ['', []],
    ['${a}', ['«a»']],
    ['x-${a}-${b}', ['x-', '«a»', '-', '«b»']],
    ['${ {"a": {"b": 1}} }', ['« {"a": {"b": 1}} »']],
    [`\${a + '}'}`, [`«a + '}'»`]],
    ['${a + "}"}', ['«a + "}"»']],
    [`\${a + '"'}b`, [`«a + '"'»`, 'b']],
    ['${"\\"}"}', ['«"\\"}"»']],
    ['${r"\\"}', ['«r"\\"»']],
    ['${"""a"}"""}', ['«"""a"}"""»']],
    [`\${'\${x}'}`, [`«'\${x}'»`]],
    ["${a // don't\n}", ["«a // don't\n»"]],
    ['${a // note}', ['«a // note»']],
    ['$${a}', ['$', '«a»']],
    ['$a {b}', ['$a {b}']],
    ['${a', ['${a']],
    ['${a ${b}', 'nested at 4'],
    ['${a}\n', ['«a»', '\n']],
  ])('%j', (text, parts) => {
    expect(found(text)).toEqual(parts);
  });

  it('distinguishes an expression alone from one with text around it', () => {
    expect(scan('${a}')).toMatchObject({ standalone: true });
    expect(scan('${a}\n')).toMatchObject({ standalone: false });
    expect(scan('${a}${b}')).toMatchObject({ standalone: false });
  });

  it('reports where an expression starts and which one is not closed', () => {
    expect(scan('ab${c}')).toMatchObject({ parts: [{ text: 'ab' }, { source: 'c', start: 4 }] });
    expect(scan('ab${c')).toMatchObject({ unclosed: 2 });
  });
});
