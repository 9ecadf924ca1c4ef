import { describe, expect, it } from 'vitest';
import { answerAt, openPackage } from './place.ts';
import { DATA } from './typed.ts';
import { WEB } from './web.ts';

describe.each([
  ['a web application', WEB],
  ['a data platform', DATA],
])('completion in the package of %s', (_, data) => {
  const language = openPackage(data);

  it('asks at 60 places', () => {
    expect(data.places).toHaveLength(60);
  });

  it.each(data.places.map((place) => [place[4], place] as const))(
    'has the wanted item in the first five: %s',
    (_title, place) => {
      const { rank, first, errors } = answerAt(language, data, place);
      expect(rank, first.join(', ')).toBeGreaterThanOrEqual(0);
      expect(rank, first.join(', ')).toBeLessThan(5);
      expect(errors).toEqual([]);
    },
  );
});
