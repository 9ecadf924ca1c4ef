import { describe, expect, it } from 'vitest';
import { mayBecome, templateActionAt } from '../../../src/core/text/template-text.ts';

describe('a template action outside of quotes', () => {
  it.each([
    ['a value', 'a: {{ .Values.a }}\n', 3],
    ['a line', 'a: 1\n{{- if .Values.b }}\nb: 2\n{{- end }}\n', 5],
    ['a key', '{{ .a }}: 1', 0],
    ['part of a plain text', 'name: x-{{ .a }}', 8],
    ['behind a quoted string', 'a: "b" {{ .a }}', 7],
    ['behind an apostrophe', "a: don't\nb: {{ .a }}", 12],
    ['behind a block of text', 'a: |\n  {{ .text }}\nb: {{ .a }}', 22],
    ['behind a list item that is a block of text', '- >-\n  {{ .text }}\n- {{ .a }}', 21],
    ['behind a string of several lines', 'a: "b\n  c"\nd: {{ .a }}', 14],
  ])('is found: %s', (_, text, at) => expect(templateActionAt(text)).toBe(at));

  it.each([
    ['a string in double quotes', 'a: "{{ .Values.a }}"'],
    ['a string in single quotes', "a: 'it''s {{ .Values.a }}'"],
    ['a quoted item of a flow list', "a: [x, '{{ b }}']"],
    ['a string of several lines', 'a: "b\n  {{ c }}\n  d"'],
    ['a literal block', 'a: |\n  x\n\n  {{ b }}\nc: 1'],
    ['a folded block with indicators', 'a: >2- # note\n    {{ b }}\n'],
    ['a block in a list', '- |\n  {{ b }}\n- c'],
    ['a comment', 'a: 1 # {{ b }}\n# {{ c }}'],
    ['CEL', 'a: ${ {"a": {"b": 1}} }'],
  ])('is not found: %s', (_, text) => expect(templateActionAt(text)).toBe(-1));
});

describe('a template that may become an input object', () => {
  const kinds = [{ group: 'platform.example.com', kind: 'Shop' }];
  it.each([
    ['an RGD', 'kind: ResourceGraphDefinition'],
    ['kro’s group', 'apiVersion: kro.run/v1alpha1\nkind: {{ .kind }}'],
    ['an instance', 'apiVersion: platform.example.com/v1\nkind: Shop\nspec: {{ .a }}'],
    ['a quoted one', '"apiVersion": "platform.example.com/v1"\n"kind": \'Shop\' # ours'],
    ['one in a list', '- apiVersion: platform.example.com/v1\n  kind: Shop'],
    ['one with a version that is filled in', 'apiVersion: platform.example.com/{{ .v }}\nkind: Shop'],
    ['one with a group that is filled in', 'apiVersion: {{ .v }}\nkind: Shop'],
    ['one with a kind that is filled in', 'apiVersion: platform.example.com/v1\nkind: {{ .kind }}'],
  ])('%s', (_, text) => expect(mayBecome(text, kinds)).toBe(true));

  it.each([
    ['another kind', 'apiVersion: apps/v1\nkind: Deployment\nspec: {{ .a }}'],
    ['the kind of another group', 'apiVersion: other.example.com/v1\nkind: Shop'],
    ['another kind of the group', 'apiVersion: platform.example.com/v1\nkind: Shopper'],
  ])('is not %s', (_, text) => expect(mayBecome(text, kinds)).toBe(false));
});
