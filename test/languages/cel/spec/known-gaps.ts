/** Tests of the specification that fail, with the reason. A test that passes must be removed from this list. */
const LENIENT = 'cel-go lets optional selection from a value without fields give none, unless told otherwise';
const NO_INDEX_ERROR = 'cel-go has since made an index beyond the end give -1';

export const knownGaps: ReadonlyMap<string, string> = new Map([
  ['optionals/optionals/map_null_entry_no_such_key', LENIENT],
  ['optionals/optionals/map_present_key_invalid_field', LENIENT],
  ['string_ext/value_errors/indexof_out_of_range', NO_INDEX_ERROR],
  ['string_ext/value_errors/lastindexof_out_of_range', NO_INDEX_ERROR],
  [
    'type_deductions/legacy_nullable_types/null_assignable_to_abstract_parameter_candidate',
    'the common type of an optional and null is null in cel-go today',
  ],
]);
