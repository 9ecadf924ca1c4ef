import type { GeneratedPackage } from './packages.ts';
import type { Json } from './types.ts';

/** Keys that identify an object or a kind: removing them causes another error. */
const KEPT = ['apiVersion', 'kind', 'group', 'names', 'scope'];

/** Returns every package that is one step smaller: without a list item, a key or a part of a text. */
export function smaller(whole: GeneratedPackage): GeneratedPackage[] {
  const found: GeneratedPackage[] = [];
  const visit = (value: Json, put: (replacement: Json) => GeneratedPackage): void => {
    if (Array.isArray(value)) {
      value.forEach((item, index) => {
        found.push(put(value.filter((_, other) => other !== index)));
        visit(item, (replacement) => put(value.map((old, other) => (other === index ? replacement : old))));
      });
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, member] of Object.entries(value)) {
        if (KEPT.includes(key)) continue;
        const { [key]: _, ...rest } = value;
        found.push(put(rest));
        visit(member, (replacement) => put({ ...value, [key]: replacement }));
      }
    } else if (typeof value === 'string' && value.includes('${')) {
      for (const text of simplerTexts(value)) found.push(put(text));
    }
  };
  visit(whole.objects, (objects) => ({ ...whole, objects: objects as GeneratedPackage['objects'] }));
  visit(whole.observed, (observed) => ({ ...whole, observed: observed as GeneratedPackage['observed'] }));
  return found;
}

/** Returns texts with a balanced part of an expression in place of the whole, or without text around it. */
function simplerTexts(text: string): string[] {
  const out = new Set<string>(['x', '${"x"}', '${1}', '${true}']);
  const match = /\$\{([\s\S]*)\}/.exec(text);
  if (match === null) return [...out].filter((one) => one.length < text.length);
  const inner = match[1] ?? '';
  if (match[0] !== text) out.add(match[0]);
  const opens: number[] = [];
  for (let at = 0; at < inner.length; at++) {
    if ('([{'.includes(inner[at] ?? '')) opens.push(at);
    if (!')]}'.includes(inner[at] ?? '')) continue;
    const open = opens.pop();
    if (open === undefined) continue;
    const part = inner.slice(open + 1, at);
    for (const piece of [part, inner.slice(open, at + 1), ...part.split(/, | \? | : | == | && | \+ /)]) {
      if (piece !== '') out.add(`\${${piece}}`);
    }
    for (const literal of ['"x"', '1', '[]', 'true'])
      out.add(`\${${inner.slice(0, open)}${literal}${inner.slice(at + 1)}}`);
    out.add(`\${${inner.slice(0, open + 1)}${inner.slice(at)}}`);
  }
  for (const [at, part] of [...inner.matchAll(/\.\w+\([^()]*\)/g)].map((m) => [m.index ?? 0, m[0]] as const)) {
    out.add(`\${${inner.slice(0, at)}${inner.slice(at + part.length)}}`);
    out.add(`\${${inner.slice(0, at)}}`);
  }
  return [...out].filter((one) => one.length < text.length);
}
