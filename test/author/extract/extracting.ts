import type { Diagnostic } from '../../../src/api/index.ts';
import { render } from '../../../src/api/index.ts';
import { type ExtractOptions, type ExtractResult, extract } from '../../../src/api/tools/index.ts';

/** The texts of copies by their names. */
export type Copies = Readonly<Record<string, string>>;

/** Extracts an RGD of the kind Copy. */
export const extracted = (copies: Copies, options: Partial<ExtractOptions> = {}): ExtractResult =>
  extract(
    { copies: Object.entries(copies).map(([name, text]) => ({ name, objects: [{ file: `${name}.yaml`, text }] })) },
    { kind: 'Copy', ...options },
  );

/** Returns the texts of the fields of the RGD by name. */
export function describedFieldsOf({ rgd, diagnostics }: ExtractResult): Readonly<Record<string, string>> {
  if (rgd === undefined) throw new Error(messagesOf(diagnostics).join('\n'));
  return (rgd as unknown as { spec: { schema: { spec: Record<string, string> } } }).spec.schema.spec;
}

const DESCRIPTION = /(?: \|)? description="(?:[^"\\]|\\.)*"$/;

/** Returns the texts of the fields of the RGD by name, without their descriptions. */
export function fieldsOf(result: ExtractResult): Readonly<Record<string, string>> {
  const fields = Object.entries(describedFieldsOf(result));
  return Object.fromEntries(fields.map(([name, text]) => [name, text.replace(DESCRIPTION, '')]));
}

/** A node of the RGD. */
export interface WrittenNode {
  id: string;
  includeWhen?: string[];
  forEach?: Record<string, string>[];
  template: Record<string, unknown>;
}

export function nodesOf({ rgd, diagnostics }: ExtractResult): readonly WrittenNode[] {
  if (rgd === undefined) throw new Error(messagesOf(diagnostics).join('\n'));
  return (rgd as unknown as { spec: { resources: WrittenNode[] } }).spec.resources;
}

export const messagesOf = (diagnostics: readonly Diagnostic[]): string[] =>
  diagnostics.map(({ severity, code, message }) => `${severity}[${code}] ${message}`);

/** Renders what was extracted with another version of the library's own reader: from the files. */
export function renderedFiles({ files }: ExtractResult): readonly unknown[] {
  const texts = Object.entries(files).filter(([path]) => !path.startsWith('tests/'));
  const { objects, diagnostics } = render({ objects: texts.map(([file, text]) => ({ file, text })) });
  if (diagnostics.some(({ severity }) => severity === 'error')) throw new Error(messagesOf(diagnostics).join('\n'));
  return objects;
}

export const configMap = (name: string, data: string, namespace = ''): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name}${namespace === '' ? '' : `, namespace: ${namespace}`} }\ndata: ${data}\n`;
