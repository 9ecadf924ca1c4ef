import type { CodeAction } from 'vscode-languageserver';
import type { CelType } from '../../languages/cel/index.ts';
import { yamlScalar } from '../../yaml/emit/index.ts';
import { nodeAt } from '../../yaml/tree/index.ts';
import { namesIn } from '../cel/names.ts';
import type { Written } from '../expressions.ts';
import type { Place } from '../place.ts';
import type { Range, SourceFile } from '../workspace/file.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { diagnosticsOf } from './diagnostics.ts';
import { applyCertainFixes } from './fixes/certain.ts';
import { type FixContext, fix, isSound, replace, Validations } from './fixes/edits.ts';
import { placeOf, soundFixes } from './fixes/offered.ts';

const FIX_ALL = 'source.fixAll';

/** Returns the sound fixes in a range and the actions on its expression, or all certain fixes if `only` asks. */
export function actionsAt(
  file: SourceFile,
  range: Range,
  workspace: Workspace,
  only: readonly string[] = [],
): CodeAction[] {
  if (only.some((one) => FIX_ALL.startsWith(one) || one.startsWith(FIX_ALL))) return fixAll(file, workspace);
  const from = file.offsetAt(range.start);
  const to = file.offsetAt(range.end);
  const found = diagnosticsOf(file, workspace).filter(
    ({ range: { start, end } }) => file.offsetAt(start) <= to && from <= file.offsetAt(end),
  );
  const validations = new Validations();
  const fixes: CodeAction[] = [];
  for (const one of found) {
    if (!validations.areLeft) break;
    const context = { diagnostic: one, place: placeOf(one, file, workspace), validations };
    const [first, ...others] = soundFixes(context);
    if (first !== undefined) fixes.push(first.mayFail ? first.action : { ...first.action, isPreferred: true });
    for (const { action } of others) fixes.push(action);
    for (const comment of ignoring(context)) if (isSound(comment, context)) fixes.push(comment);
  }
  const node = extracted(placeOf({ range }, file, workspace));
  return node === undefined ? fixes : [...fixes, node];
}

/** Returns the edit of a file that all certain fixes make. */
function fixAll(file: SourceFile, workspace: Workspace): CodeAction[] {
  const fork = workspace.fork();
  applyCertainFixes(fork, [file.uri], new Validations());
  const newText = fork.files.get(file.uri)?.text ?? file.text;
  if (newText === file.text) return [];
  const edit = { changes: { [file.uri]: [{ range: file.rangeOf(0, file.text.length), newText }] } };
  return [{ title: 'Apply all fixes without an alternative', kind: FIX_ALL, edit }];
}

/** Returns a comment above the line, for diagnostics that do not fail rendering. */
function ignoring(context: FixContext): CodeAction[] {
  const { diagnostic: one, place } = context;
  const { file } = place;
  const code = String(one.code);
  if (one.severity === 1 && !code.startsWith('rendered-')) return [];
  const { line } = one.range.start;
  const indent = /^ */.exec(file.lines.lineText(line + 1))?.[0] ?? '';
  const at = { line, character: 0 };
  const newText = `${indent}# render-rgd: ignore ${code} REASON\n`;
  return [fix(`Ignore ${code} here`, context, [{ range: { start: at, end: at }, newText }])];
}

/** How a value is read from the text of a ConfigMap; all but strings are converted to text before. */
const READ: Partial<Record<CelType['kind'], (text: string, quote: string) => string>> = {
  string: (text) => text,
  int: (text) => `int(${text})`,
  double: (text) => `double(${text})`,
  bool: (text, quote) => `${text} == ${quote}true${quote}`,
};

/** Moves an expression into a separate ConfigMap, a node before its reader, so that other nodes can read it too. */
function extracted({ file, written: expression }: Place): CodeAction | undefined {
  const inspected = expression?.inspected();
  if (expression === undefined || inspected === undefined) return undefined;
  const { model, node: index = -1, closed, place, scalar: within } = expression.written;
  const { root } = inspected.parsed;
  const type = inspected.types.get(root.id);
  const read = type && READ[type.kind];
  const node = model.definition.nodes[index];
  const list = nodeAt(model.tree.root, ['spec', 'resources']);
  const item = list?.kind === 'list' && !list.flow ? list.items[index] : undefined;
  const isComputed = ['call', 'comprehension', 'bind'].includes(root.kind);
  const isLocal = namesIn(inspected).some(
    ({ name, role }) => role === 'variable' && node?.forEach.some((one) => one.name === name),
  );
  if (read === undefined || item === undefined || !isComputed || isLocal || !closed) return undefined;
  if (place !== 'template' || node?.template === undefined || !model.definition.namespaced) return undefined;
  const quote = within.style === 'single' ? '"' : "'";
  const { id, name } = nameFor(expression.written);
  const source = expression.source.trim();
  const indentation = ' '.repeat(file.positionAt(item.dash).character);
  const conditions = node.includeWhen.map((condition) => `    - ${yamlScalar(condition)}`);
  const lines = [
    `- id: ${id}`,
    ...(conditions.length === 0 ? [] : ['  includeWhen:', ...conditions]),
    '  template:',
    '    apiVersion: v1',
    '    kind: ConfigMap',
    '    metadata:',
    `      name: \${schema.metadata.name}-${name}`,
    '    data:',
    `      value: ${yamlScalar(`\${${type?.kind === 'string' ? source : `string(${source})`}}`)}`,
  ];
  const at = { line: file.positionAt(item.dash).line, character: 0 };
  const newText = lines.map((line) => `${indentation}${line}\n`).join('');
  const value = replace(
    file,
    expression.textOffset(0),
    expression.textOffset(expression.source.length),
    read(`${id}.data.value`, quote),
  );
  const edit = { changes: { [file.uri]: [{ range: { start: at, end: at }, newText }, value] } };
  return { title: `Extract the expression into the node ${id}`, kind: 'refactor.extract', edit };
}

/** Returns an unused id, derived from the field of the expression. */
function nameFor({ model: { definition }, path }: Written): { id: string; name: string } {
  const field = path.findLast((step): step is string => typeof step === 'string' && /^[a-z][a-zA-Z0-9]*$/.test(step));
  const ids = new Set(['schema', ...definition.nodes.map(({ id }) => id)]);
  const base = `${field ?? 'computed'}Value`;
  let id = base;
  for (let count = 2; ids.has(id); count += 1) id = `${base}${count}`;
  return { id, name: id.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`) };
}
