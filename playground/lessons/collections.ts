import { file, instance, type Lesson, rgd } from './lesson.ts';

const configMap = (id: string, before: string, name: string, data: string): string => `- id: ${id}
${before}  template:
    apiVersion: v1
    kind: ConfigMap
    metadata:
      name: ${name}
    data:
${data}`;

const TEAM = `spec:
  members: "[]string"`;
const teamOf = (before: string, name: string, who: string): string =>
  rgd('Team', TEAM, configMap('rooms', before, name, `      member: ${who}`));

const forEach: Lesson = {
  id: 'for-each',
  title: 'forEach: an object for each item',
  about: [
    'A node with forEach renders its template once for each item of a list. The name of the iterator is a variable in the template.',
  ],
  task: 'Give every member of the team a ConfigMap of their own, named after the instance and the member, such as blue-ada.',
  files: [
    file('team.rgd.yaml', teamOf('', '${schema.metadata.name}', '${schema.spec.members[0]}')),
    file('blue.yaml', instance('Team', 'blue', 'members: [ada, grace, tim]')),
  ],
  expected: ['ada', 'grace', 'tim'].map((name) => ({ object: `ConfigMap/blue-${name}`, line: `member: ${name}` })),
  count: 3,
  solution: teamOf(
    '  forEach:\n    - member: ${schema.spec.members}\n',
    '${schema.metadata.name}-${member}',
    '${member}',
  ),
};

const GRID = `spec:
  regions: "[]string"
  tiers: "[]string"`;
const gridOf = (iterators: string, name: string, tier: string): string =>
  rgd('Grid', GRID, configMap('cells', iterators, name, `      region: \${region}\n      tier: ${tier}`));

const product: Lesson = {
  id: 'product',
  title: 'A product: two iterators',
  about: [
    'With several iterators a node is rendered once for each combination, the first iterator outermost. Every iterator has to be part of the name: else two objects would have the same one.',
  ],
  task: 'Render a ConfigMap for each region and tier, such as shop-eu-web: four in all.',
  files: [
    file(
      'grid.rgd.yaml',
      gridOf('  forEach:\n    - region: ${schema.spec.regions}\n', '${schema.metadata.name}-${region}', 'all'),
    ),
    file('shop.yaml', instance('Grid', 'shop', 'regions: [eu, us]\ntiers: [web, worker]')),
  ],
  expected: [
    { object: 'ConfigMap/shop-eu-web', line: 'tier: web' },
    { object: 'ConfigMap/shop-us-worker', line: 'region: us' },
  ],
  count: 4,
  solution: gridOf(
    '  forEach:\n    - region: ${schema.spec.regions}\n    - tier: ${schema.spec.tiers}\n',
    '${schema.metadata.name}-${region}-${tier}',
    '${tier}',
  ),
};

const SITE = `spec:
  host: string | default=""`;
const siteOf = (condition: string): string =>
  rgd(
    'Site',
    SITE,
    `${configMap('settings', '', '${schema.metadata.name}', '      kind: site')}\n${configMap('route', condition, '${schema.metadata.name}-route', '      host: ${schema.spec.host}')}`,
  );

const includeWhen: Lesson = {
  id: 'include-when',
  title: 'includeWhen: a node on a condition',
  about: [
    'A node with includeWhen is rendered only when all of its expressions are true. What reads a skipped node is skipped too.',
  ],
  task: 'The private site has no host: leave out its route. The public one keeps it.',
  files: [
    file('site.rgd.yaml', siteOf('')),
    file(
      'sites.yaml',
      `${instance('Site', 'private', 'host: ""')}---\n${instance('Site', 'public', 'host: example.com')}`,
    ),
  ],
  expected: [
    { object: 'ConfigMap/private', line: 'kind: site' },
    { object: 'ConfigMap/public-route', line: 'host: example.com' },
  ],
  count: 3,
  solution: siteOf('  includeWhen:\n    - ${schema.spec.host != ""}\n'),
};

export const collections: readonly Lesson[] = [forEach, product, includeWhen];
