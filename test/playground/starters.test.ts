import { describe, expect, it } from 'vitest';
import { checkPackage } from '../../playground/engine/check.ts';
import { renderPackage } from '../../playground/engine/render.ts';
import { STARTERS } from '../../playground/ui/starters.ts';

describe('a package to begin with', () => {
  it.each(STARTERS.filter(({ files }) => files.some(({ text }) => text !== '')))(
    'renders objects, and has no problem: $title',
    ({ files, options = {} }) => {
      const rendered = renderPackage({ files, options });
      expect(rendered.diagnostics.filter(({ severity }) => severity !== 'info')).toEqual([]);
      expect(rendered.objects.length).toBeGreaterThan(0);
      const checked = checkPackage({ files, options }).diagnostics;
      expect(checked.filter(({ severity }) => severity !== 'info')).toEqual([]);
    },
  );
});
