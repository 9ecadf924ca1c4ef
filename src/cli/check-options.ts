// Options that several commands with checks have.
import { KIND_PATTERN } from '../compare/diff/index.ts';
import { list, text } from '../render/options/index.ts';

export const policyOptions = {
  policies: list(
    'PATH',
    'Evaluate the admission policies of this path, with the parameters and namespaces beside them.',
  ),
  as: text('USER', 'The user who applies the objects, for policies that read request.userInfo.'),
  asGroup: list('GROUP', 'A group of that user.'),
};

export const holdsData = list(
  'KIND.GROUP',
  'A kind whose objects lose data when they are deleted, beside those that are known.',
  { each: { pattern: KIND_PATTERN, expected: 'Kind.group, with * for any part of it' } },
);
