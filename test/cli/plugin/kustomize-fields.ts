import { readFileSync } from 'node:fs';

/** The fields of kustomize's own types, by path, with the kind of Go type: `patches[].path`. */
export type KustomizeFields = Readonly<Record<string, string>>;

/** The output of `go run .` in tools/kustomize-fields; test/e2e/kustomize-fields.test.ts compares it. */
export const recorded: { version: string; kustomization: KustomizeFields; plugins: Record<string, KustomizeFields> } =
  JSON.parse(readFileSync(new URL('kustomize-fields.json', import.meta.url), 'utf8'));

/** Returns a document whose field at that path has a value: `patches[].path` as `{patches: [{path: VALUE}]}`. */
export function withField(path: string, value: unknown): Record<string, unknown> {
  const [first = '', ...rest] = path.split('.');
  const inner = rest.length === 0 ? value : withField(rest.join('.'), value);
  return first.endsWith('[]') ? { [first.slice(0, -2)]: [inner] } : { [first]: inner };
}

/** Returns a value of a field's type that contains a text wherever it can. */
export function someValue(type: string, text: string): unknown {
  if (type === 'string') return text;
  if (type === 'map') return { path: text, version: text };
  return type === 'bool' ? true : 1;
}
