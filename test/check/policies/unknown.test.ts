import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compilePolicies } from '../../../src/check/policies/index.ts';
import { Collector } from '../../../src/core/diagnostics/index.ts';
import type { KubeObject } from '../../../src/core/model/object.ts';
import { builtinKinds } from '../../../src/kubernetes/schema/index.ts';
import { defaultRenderOptions } from '../../../src/render/options/index.ts';
import { runs } from '../../properties/runs.ts';

const API = 'admissionregistration.k8s.io/v1';
const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] };
const binding: KubeObject = {
  apiVersion: API,
  kind: 'ValidatingAdmissionPolicyBinding',
  metadata: { name: 'b' },
  spec: { policyName: 'p', validationActions: ['Deny'] },
};
const object: KubeObject = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'c', namespace: 'ns' },
  data: { a: '1' },
};

type Decided = 'denied' | 'admitted' | 'undecided';

function decide(expression: string, failurePolicy: string): Decided {
  const spec = {
    failurePolicy,
    matchConstraints: { resourceRules: [rule] },
    validations: [{ expression }],
  };
  const policy: KubeObject = { apiVersion: API, kind: 'ValidatingAdmissionPolicy', metadata: { name: 'p' }, spec };
  const policies = [policy, binding].map((one) => ({ object: one }));
  const reports = new Collector();
  const limits = defaultRenderOptions;
  const given = { policies, known: [], complete: [], crds: [], kinds: builtinKinds, limits, namespace: '' };
  const decisions = compilePolicies(given, 1, reports).decide({ object });
  expect(reports.hasErrors, expression).toBe(false);
  if (decisions.some((one) => 'denial' in one)) return 'denied';
  return decisions.length === 0 ? 'admitted' : 'undecided';
}

/** What an operand is: a value, a failure, or something that only a cluster knows, which may be any of the three. */
type Tree = { leaf: 'true' | 'false' | 'fails' | 'unknown' } | { operator: string; operands: Tree[] };

const FIXED = { true: "object.data.a == '1'", false: "object.data.a == 'authorizer'", fails: "object.data.no == 'x'" };
const UNKNOWN = [
  "authorizer.path('/').check('get').allowed()",
  "request.userInfo.username == 'me'",
  "namespaceObject.metadata.labels.a == 'b'",
  "object.metadata.uid == 'x'",
];

const leaf = fc.constantFrom('true', 'false', 'fails', 'unknown').map((one) => ({ leaf: one }) as Tree);
const { tree } = fc.letrec<{ tree: Tree }>((tie) => {
  const branch = (operator: string, count: number): fc.Arbitrary<Tree> =>
    fc.array(tie('tree'), { minLength: count, maxLength: count }).map((operands): Tree => ({ operator, operands }));
  const branches = [
    branch('&&', 2),
    branch('||', 3),
    branch('!', 1),
    branch('?', 3),
    branch('all', 2),
    branch('==', 2),
  ];
  return { tree: fc.oneof({ maxDepth: 4 }, leaf, ...branches, branch('exists', 2)) };
});

/** Writes an expression; `unknown` has the text of each unknown operand. */
function written(one: Tree, unknown: () => string): string {
  if ('leaf' in one) return one.leaf === 'unknown' ? unknown() : FIXED[one.leaf];
  const parts = one.operands.map((operand) => `(${written(operand, unknown)})`);
  const [first = '', second = '', third = ''] = parts;
  switch (one.operator) {
    case '!':
      return `!${first}`;
    case '?':
      return `${first} ? ${second} : ${third}`;
    case 'all':
    case 'exists':
      return `[1, 2].${one.operator}(i, i == 1 ? ${first} : ${second})`;
    default:
      return parts.join(` ${one.operator} `);
  }
}

const unknowns = (one: Tree): number =>
  'leaf' in one ? Number(one.leaf === 'unknown') : one.operands.reduce((sum, operand) => sum + unknowns(operand), 0);

/** Returns every combination of results of some unknown operands. */
function combinations(count: number): string[][] {
  if (count === 0) return [[]];
  return combinations(count - 1).flatMap((one) => Object.values(FIXED).map((result) => [...one, result]));
}

it('denies what every result of the unknown parts denies, and nothing else', () => {
  const seen = { denied: 0, admitted: 0, undecided: 0 };
  fc.assert(
    fc.property(tree, fc.constantFrom('Fail', 'Ignore'), (one, failurePolicy) => {
      const count = unknowns(one);
      fc.pre(count > 0 && count < 5);
      let at = 0;
      const decided = decide(
        written(one, () => UNKNOWN[at++ % UNKNOWN.length] as string),
        failurePolicy,
      );
      const possible = new Set(
        combinations(count).map((results) => {
          let next = 0;
          return decide(
            written(one, () => results[next++] as string),
            failurePolicy,
          );
        }),
      );
      const isDenied = possible.size === 1 && possible.has('denied');
      expect(
        decided === 'denied',
        written(one, () => 'UNKNOWN'),
      ).toBe(isDenied);
      if (decided === 'admitted') expect([...possible]).toEqual(['admitted']);
      seen[decided] += 1;
    }),
    runs(150),
  );
  expect(Object.values(seen).every((count) => count > 0)).toBe(true);
});
