import { describe, expect, it } from 'vitest';
import { filledIn, pendingRows } from '../../playground/engine/fill-in.ts';
import { renderPackage } from '../../playground/engine/render.ts';
import { type Lesson, lessons, missingFrom } from '../../playground/lessons/index.ts';

const checked = ({ files, ...lesson }: Lesson, given = files): string[] =>
  missingFrom({ files, ...lesson }, renderPackage({ files: given, options: lesson.options ?? {} }));

describe('the lessons of the playground', () => {
  it('have ids of their own', () => expect(new Set(lessons.map(({ id }) => id)).size).toBe(13));

  it.each(lessons.map((lesson) => ({ lesson, title: lesson.title })))(
    '$title: is not solved at the start, and accepts its solution',
    ({ lesson }) => {
      expect(checked(lesson)).not.toEqual([]);
      const [first, ...rest] = lesson.files;
      const solved = { ...first, text: lesson.solution } as (typeof lesson.files)[0];
      expect(checked(lesson, [solved, ...rest, ...(lesson.added === undefined ? [] : [lesson.added])])).toEqual([]);
    },
  );

  it('accept a filled-in value as the answer about pending values', () => {
    const lesson = lessons.find(({ id }) => id === 'pending') as Lesson;
    const pack = { files: lesson.files, options: {} };
    expect(pendingRows(pack).values).toHaveLength(1);
    const observed = filledIn(pack, 0, '203.0.113.7');
    expect(checked(lesson, [...lesson.files, observed])).toEqual([]);
    // A second value of the same object is merged into the first.
    const again = filledIn(
      { files: [...lesson.files, { ...observed, text: observed.text.replace('ip: ', 'hostname: ') }], options: {} },
      0,
      '203.0.113.7',
    );
    expect(again.text.match(/kind: Service/g)).toHaveLength(1);
  });
});
