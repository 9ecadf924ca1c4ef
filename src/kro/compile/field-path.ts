import type { Path } from '../../core/model/value.ts';

/**
 * The key on the way to a field that kro cannot find again. kro keeps the place of an expression as text
 * (`data["a.b"][0]`) and reads that text when it fills the field. It quotes keys with a dot and empty ones, and reads
 * neither brackets in the other keys nor quotes in these (kro: pkg/graph/fieldpath).
 */
export const keyOutOfReach = (path: Path): string | undefined =>
  path.find((step): step is string => typeof step === 'string' && isOutOfReach(step));

export const OUT_OF_REACH = `a key above an expression may have no '[', and no '"' beside a '.'`;

const isOutOfReach = (key: string): boolean => key.includes(key.includes('.') ? '"' : '[');
