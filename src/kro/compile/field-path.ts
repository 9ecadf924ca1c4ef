import type { Path } from '../../core/model/value.ts';

/**
 * Returns the key of a path that kro cannot resolve again. kro stores the path of an expression as text
 * (`data["a.b"][0]`) and parses it when it fills the field. It quotes keys with a dot and empty ones, but supports
 * neither brackets in other keys nor quotes in quoted ones (kro: pkg/graph/fieldpath).
 */
export const keyOutOfReach = (path: Path): string | undefined =>
  path.find((step): step is string => typeof step === 'string' && isOutOfReach(step));

export const OUT_OF_REACH = `a key above an expression may have no '[', and no '"' beside a '.'`;

const isOutOfReach = (key: string): boolean => key.includes(key.includes('.') ? '"' : '[');
