export {
  hasNamedValues,
  isKindName,
  isNameOfValue,
  isPlainField,
  isSecretKind,
  isSecretListKind,
  LAST_APPLIED,
  maybeSecret,
  mentionsSecret,
  type Position,
  positionOf,
  SECRET,
  shownSteps,
  stepsToSecret,
  writtenSecrets,
} from './manifest.ts';
export { either, fieldsOf, isSecret, membersOf, type Secrecy, secretAt, within, withoutSecrets } from './secrecy.ts';
