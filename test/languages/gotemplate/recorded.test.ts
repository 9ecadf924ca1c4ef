import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseJson } from '../../../src/core/encoding/json.ts';
import { canonicalYaml } from '../../../src/flux/canonical/index.ts';
import { renderHere } from '../../templates/ours.ts';
import { readLines } from '../../templates/recorded.ts';

// Answers of text/template, slim-sprig and go-yaml: npm run templates -- --record FILE. `npm run templates` compares
// others, which are drawn each time.
const recorded = readLines(readFileSync('test/templates/recorded.jsonl', 'utf8'));

describe('a random template', () => {
  it.each(recorded.templates)('%s', (template, at, left, right, text) => {
    const ours = renderHere({ template, inputs: recorded.inputs[at] ?? '', left, right });
    expect('text' in ours ? ours.text : null).toBe(text);
  });
});

describe('a random value', () => {
  it.each(recorded.values)('%s', (value, text) => {
    expect(canonicalYaml(parseJson(value))).toBe(text);
  });
});
