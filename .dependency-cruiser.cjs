// Which room of src may import which, and what keeps the rooms apart. `npm run lint` runs it; CONTRIBUTING.md describes
// the rooms.

/** From the ground up: a room imports rooms that stand before it, never one behind it. */
const ROOMS = [
  'model',
  'encoding',
  'text',
  'digest',
  'secrecy',
  'emit',
  'cel',
  'gotemplate',
  'diagnostics',
  'parse',
  'locate',
  'reports',
  'edit',
  'schema',
  'validation',
  'label',
  'select',
  'tree',
  'kubectl',
  'rgd/definition',
  'rgd/simpleschema',
  'rgd/structural',
  'rgd/compile',
  'rgd/admit',
  'rgd/expand',
  'rgd/passthrough',
  'resourceset',
  'read',
  'survey',
  'rgd/front-end.ts',
  'pipeline.ts',
  'lint',
  'validate',
  'rerender',
  'compat',
  'diff',
  'testing',
  'address',
  'graph',
  'explain',
  'jsonschema',
  'sample',
  'reference',
  'offers',
  'project',
  'resourcelist',
  'doctor',
  'options',
  'api',
  'pages',
  'shells',
];

/** Small rooms on the ground: every file is its own façade. */
const OPEN = ['model', 'encoding', 'text', 'digest'];

const inside = (room) => `^src/${room.replace('.', '\\.')}${room.endsWith('.ts') ? '$' : '/'}`;

module.exports = {
  forbidden: [
    ...ROOMS.map((room, index) => ({
      name: `${room}-imports-what-stands-before-it`,
      severity: 'error',
      from: { path: inside(room) },
      to: { path: '^src/', pathNot: ROOMS.slice(0, index + 1).map(inside) },
    })),
    {
      name: 'every-room-has-a-place',
      severity: 'error',
      from: { path: '^src/', pathNot: ROOMS.map(inside) },
      to: {},
    },
    ...ROOMS.filter((room) => !OPEN.includes(room) && !room.endsWith('.ts')).map((room) => ({
      name: `${room}-is-entered-through-its-facade`,
      severity: 'error',
      from: { path: '^src/', pathNot: inside(room) },
      to: { path: inside(room), pathNot: `${inside(room)}index\\.ts$` },
    })),
    {
      // The checker and the planner of CEL call themselves for the parts of an expression, as do estimates of cost.
      name: 'no-circle',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/cel/(check|plan)/', '^src/rgd/structural/cost/'] },
      to: { circular: true },
    },
    {
      name: 'only-shells-touch-the-system',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/shells/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'nothing-is-left-over',
      severity: 'error',
      from: { path: '^src/', orphan: true },
      to: {},
    },
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { extensions: ['.ts', '.mjs', '.js'] },
  },
};
