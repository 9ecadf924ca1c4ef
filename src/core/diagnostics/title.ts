// What objects are called in messages. A name may be a value of a Secret.
import {
  fullTitleOf,
  generateNameOf,
  type InputObject,
  type KubeObject,
  nameOf,
  namespaceOf,
} from '../model/object.ts';
import { composeText, HIDDEN, type Text, trusted } from './message.ts';

/** Reports whether the name of an object may be a value of a Secret. */
export const hidesName = (secret: InputObject['secret']): boolean => secret === 'name' || secret === 'everything';

/** Which parts of a title may be values of a Secret: its name, or even its kind. */
export type HiddenTitle = boolean | 'everything';

export const hiddenTitleOf = (secret: InputObject['secret']): HiddenTitle =>
  secret === 'everything' ? 'everything' : secret === 'name';

/** A template with values of Secrets may write them anywhere in its objects, their kinds included. */
export const hiddenTitleOfRendered = ({ secret }: Pick<InputObject, 'secret'>): HiddenTitle =>
  secret === undefined ? false : 'everything';

export const shownTitleOf = ({ object, secret }: InputObject): Text => titleText(object, hiddenTitleOf(secret));

/** Returns the kind and the name in the title of an object; `undefined` if a Secret may have written even its kind. */
export function subjectOf({ object, secret }: InputObject): { kind: Text; name: Text } | undefined {
  const hidden = hiddenTitleOf(secret);
  if (hidden === 'everything') return undefined;
  return { kind: trusted.definition(object.kind), name: nameText(object, hidden) };
}

/** Returns the name of an object, which may be a value of a Secret. */
export const nameText = (object: KubeObject, isHidden: boolean): Text =>
  isHidden ? HIDDEN : trusted.definition(nameOf(object));

/** Returns the namespace of an object; '' if its name may be a value of a Secret. */
export const namespaceText = (object: KubeObject, isHidden: boolean): Text =>
  isHidden ? composeText`` : trusted.definition(namespaceOf(object));

/** Returns the title of an object; only its kind, or nothing of it, if its name may be a value of a Secret. */
export function titleText(object: KubeObject, hidden: HiddenTitle): Text {
  if (hidden === 'everything') return HIDDEN;
  return composeText`${trusted.definition(object.kind)}/${nameText(object, hidden)}`;
}

/** Returns the title of an object with its namespace: `Kind namespace/name`. */
export function fullTitle(object: KubeObject, hidden: HiddenTitle): Text {
  if (hidden === 'everything') return HIDDEN;
  if (hidden) return composeText`${trusted.definition(object.kind)} ${HIDDEN}`;
  const generated = generateNameOf(object);
  const name = generated === '' ? nameOf(object) : `${generated}*`;
  return trusted.definition(fullTitleOf({ kind: object.kind, namespace: namespaceOf(object), name }));
}

/** Returns the argument that names an object: `Kind/namespace/name`; only its kind if its name may be secret. */
export function addressText(object: KubeObject, hidden: HiddenTitle): Text {
  if (hidden !== false) return titleText(object, hidden);
  return trusted.definition(
    [object.kind, namespaceOf(object), nameOf(object)].filter((part, at) => part !== '' || at === 2).join('/'),
  );
}

/** Returns its namespace; '' if it may be a value of a Secret. */
export const shownNamespaceOf = ({ object, secret }: InputObject): Text => namespaceText(object, hidesName(secret));
