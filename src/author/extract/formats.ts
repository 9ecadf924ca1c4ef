import { type Collector, phrase, reporterFor, shown } from '../../core/diagnostics/index.ts';
import { groupVersionKind } from '../../core/model/object.ts';
import { isMap, type Path, type Value } from '../../core/model/value.ts';
import { type KindRegistry, memberSchema, type Schema } from '../../kubernetes/schema/index.ts';
import { fitsFormat } from '../../kubernetes/validation/index.ts';
import type { Copy } from './model.ts';

/** Reports values that contradict the format of their field: kro accepts no RGD that renders them. */
export function checkFormats(copies: readonly Copy[], kinds: KindRegistry, reports: Collector): void {
  for (const input of copies.flatMap(({ objects }) => objects)) {
    const { object } = input;
    const schema = kinds.find(groupVersionKind(object))?.schema;
    const reporter = reporterFor(input, reports);
    for (const { path, format } of contradictions(object, schema, [])) {
      const message = phrase`an API server and kro reject this value: it must be of type ${{ expected: shown(format) }}`;
      const hint = phrase`correct it, or leave its kind out with --without ${shown(object.kind)}`;
      reporter.report({ code: 'extract-object', message, hint, path });
    }
  }
}

interface Contradiction {
  readonly path: Path;
  readonly format: string;
}

function* contradictions(value: Value, schema: Schema | undefined, path: Path): Iterable<Contradiction> {
  if (schema === undefined) return;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* contradictions(item, schema.items, [...path, index]);
  } else if (isMap(value)) {
    for (const [key, inner] of Object.entries(value)) {
      yield* contradictions(inner, memberSchema(schema, key), [...path, key]);
    }
  } else if (schema.format !== undefined && !fitsFormat(schema, value)) yield { path, format: schema.format };
}
