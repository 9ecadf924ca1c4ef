import { describe, expect, it } from 'vitest';
import { declaredType } from '../../../src/kro/compile/declared-type.ts';
import type { Schema } from '../../../src/kubernetes/schema/schema.ts';

describe('a field without a type that keeps unknown fields', () => {
  const schema: Schema = {
    type: 'object',
    properties: {
      free: { 'x-kubernetes-preserve-unknown-fields': true },
      list: { type: 'array', items: { 'x-kubernetes-preserve-unknown-fields': true } },
      none: {},
    },
  };
  const fieldsOf = (lenient: boolean): readonly string[] => {
    const type = declaredType(schema, '__type_thing', { lenient });
    return type?.kind === 'object' ? type.fieldNames() : [];
  };

  it('is hidden, as in kro', () => {
    expect(fieldsOf(false)).toEqual([]);
  });

  it('is dyn if the check is lenient', () => {
    expect(fieldsOf(true)).toEqual(['free', 'list']);
  });
});
