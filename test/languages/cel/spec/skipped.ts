/** Parts of the suite that cover what this engine leaves out, with the reason. */

const MESSAGES = 'protobuf messages';
const NOT_IN_KRO = 'a library that kro does not have';

/** By the start of the key. */
export const skippedSections: readonly (readonly [prefix: string, reason: string])[] = [
  ['block_ext/', 'cel.block is what optimizers write'],
  ['comparisons/eq_wrapper/', MESSAGES],
  ['dynamic/', MESSAGES],
  ['enums/', MESSAGES],
  ['math_ext/', NOT_IN_KRO],
  ['proto2/', MESSAGES],
  ['proto2_ext/', MESSAGES],
  ['proto3/', MESSAGES],
  ['parse/struct_field_names/', MESSAGES],
  ['type_deductions/wrappers/', MESSAGES],
  ['wrappers/', MESSAGES],
];

/** Single tests of the same parts. */
const MESSAGE_TEXT = /TestAllTypes|google\s*\.\s*protobuf\s*\.\s*\w+\s*\{|NestedTestAllTypes|\bAny\{/;

export function skipReason(
  key: string,
  test: { expr: string; container?: string; disableMacros?: boolean },
): string | undefined {
  const section = skippedSections.find(([prefix]) => key.startsWith(prefix));
  if (section !== undefined) return section[1];
  if (MESSAGE_TEXT.test(test.expr)) return MESSAGES;
  if (test.container !== undefined) return 'containers, which kro does not set';
  return test.disableMacros ? 'expressions without macros' : undefined;
}
