import { titleOfReviewed } from '../../../compare/diff/index.ts';
import type { Reviewed } from '../../../compare/review/index.ts';
import { type Text, trusted } from '../../../core/diagnostics/index.ts';
import type { Danger } from '../application.ts';

/** Says something of an object, and of any object of its kind. */
export function withGeneral<D extends Danger>(reviewed: Reviewed, say: (title: Text) => readonly D[]): D[] {
  const dangers = say(titleOfReviewed(reviewed));
  if (dangers.length === 0) return [];
  const general = say(trusted.definition(reviewed.object.kind));
  return dangers.map((danger, index) => ({ ...danger, general: general[index]?.message ?? danger.message }));
}
