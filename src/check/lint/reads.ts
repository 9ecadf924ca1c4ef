import { advise, type Message, phrase, shown } from '../../core/diagnostics/index.ts';
import { addTo } from '../../core/model/group-by.ts';
import type { KubeObject } from '../../core/model/object.ts';
import { leadsTo, upToEach } from '../../core/model/read.ts';
import { formatPath, get, getAt, isMap, type Path, textsIn, type Value } from '../../core/model/value.ts';
import { type FieldPath, ITEM, keyOf, optionalOn, unguardedReads } from '../../describe/unguarded/index.ts';
import type { InputUse } from '../../flux/index.ts';
import { partsOf, readsOf } from '../../kro/compile/index.ts';
import { helmTemplateIn, plainReferenceIn } from '../../kro/definition/index.ts';
import { markersOf, withDefault } from '../../kro/simpleschema/index.ts';
import { children, type Expr, mentions, parse, subExpressions } from '../../languages/cel/index.ts';
import { at, type LintProblem, type Subject } from './subject.ts';

/** Reports a field of the schema that no expression, rule of a parent field, or text of another diagnostic names. */
export function* unreadField({ definition, expressions }: Subject): Iterable<LintProblem> {
  const paths = expressions.flatMap(({ expression, node }) =>
    readsOf(expression, node)
      .filter(({ root }) => root === 'schema')
      .map(({ path }) => upToEach(path)),
  );
  const texts = definition.nodes
    .flatMap(({ template }) =>
      [...textsIn(template)].flatMap(({ text }) => partsOf(text).flatMap((part) => ('text' in part ? part.text : []))),
    )
    .filter(isReported);
  const { spec } = definition.schema;
  for (const field of unreadIn(spec, readsBelow(['spec'], paths))) {
    if (isInRule(getAt(spec, field)) || isNamedIn(texts, field.join('.'))) continue;
    const path = ['spec', ...field];
    const hint = phrase`remove it, or read it: instances that set it change nothing`;
    yield {
      message: phrase`nothing reads schema.${{ field: path.join('.') }}`,
      path: ['spec', 'schema', ...path],
      hint,
    };
  }
}

/** Reports whether a text has an expression that is not closed, a name outside an expression, or a template of Helm. */
const isReported = (text: string): boolean =>
  text.includes('${') || (plainReferenceIn(text) ?? helmTemplateIn(text)) !== undefined;

const isNamedIn = (texts: readonly string[], field: string): boolean =>
  texts.some((text) => ['schema.spec.', '.Values.'].some((start) => text.includes(`${start}${field}`)));

/** A field with a rule that reads more than its existence is used by the rule. */
function isInRule(type: Value | undefined): boolean {
  if (typeof type !== 'string') return false;
  return markersOf(type).some(({ name, value }) => {
    const parsed = name === 'validation' ? parse(value) : undefined;
    return parsed?.ok === true && mentions(parsed.expression.root, 'self');
  });
}

/** Returns the values that nothing reads, the outermost ones: neither the value, nor a part of it, nor all around it. */
function* unreadIn(values: Value | undefined, reads: readonly Path[], above: Path = []): Iterable<Path> {
  if (!isMap(values)) return;
  const known = new Map<Path[number] | undefined, Path[]>();
  for (const read of reads) addTo(known, read[above.length], read);
  if (known.has(undefined)) return;
  for (const [key, value] of Object.entries(values)) {
    const inside = known.get(key);
    if (inside === undefined) yield [...above, key];
    else yield* unreadIn(value, inside, [...above, key]);
  }
}

/** Returns reads relative to a value: an empty path for those of all around it. */
const readsBelow = (value: Path, reads: readonly Path[]): Path[] =>
  reads.flatMap((read) => (leadsTo(value, read) ? [read.slice(value.length)] : leadsTo(read, value) ? [[]] : []));

/** Reports an input of a ResourceSet that no template reads; of many input sets the first one. */
export function* unreadInput({ reads, written }: InputUse): Iterable<LintProblem> {
  const paths = reads.map(({ path }) => path);
  const reported = new Set<string>();
  for (const { path, prefix, values } of written) {
    for (const unread of unreadIn(values, readsBelow(prefix, paths))) {
      const name = formatPath([...prefix, ...unread]);
      if (reported.has(name)) continue;
      reported.add(name);
      yield {
        message: phrase`no template reads inputs.${{ name }}`,
        path: [...path, ...unread],
        hint: phrase`remove it, or read it: it changes nothing`,
      };
    }
  }
}

/** Reports an unused variable of a macro, such as `x` in `list.exists(x, schema.spec.on)`. `_name` marks intention. */
export function* unusedVariable({ expressions }: Subject): Iterable<LintProblem> {
  for (const linted of expressions) {
    for (const loop of subExpressions(linted.expression.parsed.root)) {
      if (loop.kind !== 'comprehension' && loop.kind !== 'bind') continue;
      const names = loop.kind === 'bind' ? [loop.name] : [loop.variable, loop.variable2];
      const declared = names.filter((name) => name !== undefined);
      // Names that cannot be written belong to macros.
      if (declared.some((name) => /^[@#_]/.test(name)) || declared.some((name) => isRead(loop, name))) continue;
      const shown = declared.map((name) => `'${name}'`).join(' and ');
      const message = phrase`${{ name: shown }} is declared and never read`;
      yield at(linted, loop, message, phrase`read it, or name it _${declared[0] ?? ''} if this is intended`);
    }
  }
}

/** An inner macro with the same variable hides it, which counts as a read: that is another error. */
const isRead = (loop: Expr, name: string): boolean =>
  children(loop)
    .slice(1)
    .some((part) => mentions(part, name));

/** Reports the first unguarded read of an optional field without a default: without it kro waits forever. */
export function* optionalReadUnguarded({ graph, definition, instances }: Subject): Iterable<LintProblem> {
  const reported = new Set<string>();
  for (const { path, node, expression, offset } of unguardedReads(graph)) {
    const optional = optionalOn(graph, path);
    const field = optional.at(-1);
    if (field === undefined || reported.has(keyOf(field))) continue;
    reported.add(keyOf(field));
    if (instances.length > 0 && instances.every((one) => isSetIn(one, field))) continue;
    const name = textOf(field, []);
    const message = phrase`${{ name: shown(name) }} is optional and has no default: without it kro waits forever, and render fails`;
    const read = shown(textOf(field, optional));
    const reading = advise(phrase`read ${read}.orValue(...)`, { kind: 'read-with-fallback', read });
    const hint = phrase`${reading}, test it with has(), or add a default${defaultFor(definition.schema.spec, field, read)} (or required=true)`;
    yield at({ expression, node }, { offset }, message, hint);
  }
}

function defaultFor(spec: Value | undefined, field: FieldPath, read: Message): Message {
  const declared = getAt(spec, field);
  const example = typeof declared === 'string' ? withDefault(declared) : undefined;
  if (example === undefined) return phrase``;
  const remedy = { kind: 'declare-default', read, declaration: phrase`${example}` } as const;
  return advise(phrase`, ${field.at(-1) ?? ''}: ${example}`, remedy);
}

/** `schema.spec.a.b`, with `?` before the fields that may be absent. */
function textOf(field: FieldPath, optional: readonly FieldPath[]): string {
  const marked = new Set(optional.map(keyOf));
  const steps = field.map((name, index) => {
    if (name === ITEM) return '[]';
    return `.${marked.has(keyOf(field.slice(0, index + 1))) ? '?' : ''}${name}`;
  });
  return `schema.spec${steps.join('')}`;
}

const isSetIn = (instance: KubeObject, field: FieldPath): boolean => hasField(get(instance, 'spec'), field);

/** Reports whether a value has a field; every item of a list above it must have it. */
function hasField(value: Value | undefined, [name, ...rest]: FieldPath): boolean {
  if (value === undefined || value === null) return false;
  if (name === undefined) return true;
  if (name !== ITEM) return hasField(get(value, name), rest);
  const items = Array.isArray(value) ? value : isMap(value) ? Object.values(value) : [];
  return items.every((item) => hasField(item, rest));
}
