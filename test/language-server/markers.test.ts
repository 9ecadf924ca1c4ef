import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Editor } from './editor.ts';
import { answerAt, cases, isRight } from './markers.ts';
import { streamWire } from './stdio.ts';

it('the marker cases contain at least 300 positions', () => {
  expect(cases().flatMap(({ markers }) => markers).length).toBeGreaterThanOrEqual(300);
});

describe.each(cases())('the language server on $name', ({ name, texts, markers }) => {
  const folder = `file:///${name}`;
  let editor: Editor;
  beforeAll(async () => {
    editor = new Editor(streamWire());
    await editor.start();
    for (const [file, text] of texts) editor.open(`${folder}/${file}`, text);
    if (markers.some(({ what }) => what === 'diagnostic')) await editor.until(() => editor.diagnostics.size > 0);
  });
  afterAll(() => editor.stop());
  it.each(markers)('answers at $file:$position.line:$position.character $what $wanted', async (marker) => {
    const answer = await answerAt(editor, folder, marker);
    expect(isRight(marker, answer) ? marker.wanted : answer).toBe(marker.wanted);
  });
});
