/**
 * Formats a float64 as Go's encoding/json does, which Kubernetes stores: ECMAScript uses the same shortest digits and
 * the same limits for exponents, except for the sign of zero.
 */
export function jsonNumber(value: number): string {
  if (!Number.isFinite(value)) throw new RangeError(`JSON has no number ${value}`);
  return Object.is(value, -0) ? '-0' : String(value);
}

/** YAML 1.1 reads an exponent only after a fraction: 1.0e+21 instead of 1e+21 in JSON. */
export function yamlNumber(value: number): string {
  const text = jsonNumber(value);
  const exponent = text.indexOf('e');
  return exponent < 0 || text.includes('.') ? text : `${text.slice(0, exponent)}.0${text.slice(exponent)}`;
}
