import type { CodeAction } from 'vscode-languageserver';
import type { CelType } from '../../../../languages/cel/index.ts';
import { doubleQuoted } from '../../../../yaml/emit/index.ts';
import { nodeAt } from '../../../../yaml/tree/index.ts';
import { namesIn } from '../../cel/names.ts';
import { kroExpressionAt } from '../../expression-at.ts';
import type { Model, WrittenExpression } from '../../rgd/model.ts';
import type { Range, SourceFile } from '../../workspace/file.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { replace } from './edits.ts';

/** How a value is converted to text in a ConfigMap, and back. */
interface Conversion {
  write(value: string): string;
  read(text: string, quote: string): string;
}

const asText = (value: string): string => `string(${value})`;
const CONVERSIONS: Partial<Record<CelType['kind'], Conversion>> = {
  string: { write: (value) => value, read: (text) => text },
  int: { write: asText, read: (text) => `int(${text})` },
  double: { write: asText, read: (text) => `double(${text})` },
  bool: { write: asText, read: (text, quote) => `${text} == ${quote}true${quote}` },
};

/** Moves an expression into a separate ConfigMap, a node before its reader, so that other nodes can read it too. */
export function extracted(file: SourceFile, range: Range, workspace: Workspace): CodeAction | undefined {
  const found = kroExpressionAt(file, file.offsetAt(range.start), workspace);
  if (found === undefined) return undefined;
  const { model, expression, inspected } = found;
  const { root } = inspected.parsed;
  const type = inspected.types.get(root.id);
  const conversion = type && CONVERSIONS[type.kind];
  const node = expression.node === undefined ? undefined : model.definition.nodes[expression.node];
  const list = nodeAt(model.tree.root, ['spec', 'resources']);
  const item = list?.kind === 'list' && !list.flow ? list.items[expression.node ?? -1] : undefined;
  const isComputed = ['call', 'comprehension', 'bind'].includes(root.kind);
  const isLocal = namesIn(inspected).some(({ name, role }) => role === 'variable' && isIterator(node, name));
  if (conversion === undefined || item === undefined || !isComputed || isLocal || !expression.closed) return undefined;
  if (expression.place !== 'template' || node?.template === undefined || !model.definition.namespaced) return undefined;
  const quote = expression.scalar.style === 'single' ? '"' : "'";
  const { id, name } = nameFor(model, expression);
  const indentation = ' '.repeat(file.positionAt(item.dash).character);
  const conditions = node.includeWhen.map((condition) => `    - ${scalar(condition)}`);
  const lines = [
    `- id: ${id}`,
    ...(conditions.length === 0 ? [] : ['  includeWhen:', ...conditions]),
    '  template:',
    '    apiVersion: v1',
    '    kind: ConfigMap',
    '    metadata:',
    `      name: \${schema.metadata.name}-${name}`,
    '    data:',
    `      value: ${scalar(`\${${conversion.write(expression.source.trim())}}`)}`,
  ];
  const at = { line: file.positionAt(item.dash).line, character: 0 };
  const newText = lines.map((line) => `${indentation}${line}\n`).join('');
  const value = replace(
    file,
    expression.textOffset(0),
    expression.textOffset(expression.source.length),
    conversion.read(`${id}.data.value`, quote),
  );
  return {
    title: `Extract the expression into the node ${id}`,
    kind: 'refactor.extract',
    edit: { changes: { [file.uri]: [{ range: { start: at, end: at }, newText }, value] } },
  };
}

const isIterator = (node: Model['definition']['nodes'][number] | undefined, name: string): boolean =>
  node?.forEach.some((one) => one.name === name) === true;

/** Returns an unused id, derived from the field of the expression. */
function nameFor({ definition }: Model, { path }: WrittenExpression): { id: string; name: string } {
  const field = path.findLast((step): step is string => typeof step === 'string' && /^[a-z][a-zA-Z0-9]*$/.test(step));
  const ids = new Set(['schema', ...definition.nodes.map(({ id }) => id)]);
  const base = `${field ?? 'computed'}Value`;
  let id = base;
  for (let count = 2; ids.has(id); count += 1) id = `${base}${count}`;
  return { id, name: id.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`) };
}

/** Returns an expression as a YAML scalar. */
function scalar(text: string): string {
  if (/[\r\n]/.test(text)) return doubleQuoted(text);
  return /: | #|'|"/.test(text) ? `'${text.replaceAll("'", "''")}'` : text;
}
