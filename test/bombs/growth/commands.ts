/**
 * Every command, as it is called in the working copy of a dimension: the package in `p`, its older version in `old/p` and
 * in git, live objects in `live`, roles in `roles`, golden tests in `tests`.
 */

/** A call of the command line. */
export interface Call {
  args: readonly string[];
  /** The file that is its standard input. */
  input?: string;
}

const instanceOfApp = 'App/one';

/** The calls of each command of data/commands.json, and of the function, which has no name. */
export const calls: Readonly<Record<string, readonly Call[]>> = {
  function: [{ args: [], input: 'list.yaml' }],
  render: [
    { args: ['render', 'p', '--all'] },
    { args: ['render', 'p', '--all', '-o', 'json', '--on-pending', 'placeholder', '--order', 'argocd', '--crds'] },
    { args: ['render', 'p', '--observed', 'live', '--output-dir', 'out'] },
  ],
  validate: [
    { args: ['validate', 'p'] },
    { args: ['validate', 'p', '--strict', '--report', 'sarif=report.sarif', '--report', 'junit=report.xml'] },
    { args: ['validate', 'p', '--fix', '--dry-run'] },
    { args: ['validate', 'p', '--explore'] },
  ],
  diff: [
    { args: ['diff', 'old/p', 'p'] },
    { args: ['diff', 'p', '--against', 'HEAD', '-o', 'markdown'] },
    { args: ['diff', 'moved', '--against', 'HEAD'] },
  ],
  compat: [{ args: ['compat', 'old/p', 'p', '--instances', 'p'] }, { args: ['compat', 'p', '--kro', '0.10'] }],
  crd: [{ args: ['crd', 'p'] }],
  docs: [{ args: ['docs', 'p'] }],
  schema: [{ args: ['schema', 'App', 'p'] }, { args: ['schema', 'p', '--output-dir', 'schemas'] }],
  instance: [{ args: ['instance', 'App', 'p', '--full'] }],
  explain: [
    { args: ['explain', instanceOfApp, 'p'] },
    { args: ['explain', instanceOfApp, '.spec.a', 'p'] },
    { args: ['explain', 'ConfigMap/one', '.data.a', 'p', '-o', 'json'] },
  ],
  graph: [
    { args: ['graph', 'p', '--edge-labels'] },
    { args: ['graph', 'p', '-o', 'svg', '--instance', instanceOfApp] },
  ],
  pending: [{ args: ['pending', 'p'] }, { args: ['pending', 'p', '--kubectl'] }],
  observe: [{ args: ['observe', 'p', '--from', 'live', '--from', 'p'] }],
  migrate: [
    { args: ['migrate', 'p', '--from', 'live'] },
    { args: ['migrate', 'p', '--from', 'p', '--back', '-o', 'json'] },
  ],
  doctor: [{ args: ['doctor', 'p'] }, { args: ['doctor', '.'] }],
  extract: [
    {
      args: [
        'extract',
        'live',
        '--kind',
        'Extracted',
        '--without',
        'Secret',
        '--without',
        'ResourceGraphDefinition',
        '--dry-run',
      ],
    },
  ],
  rbac: [
    { args: ['rbac', 'p'] },
    { args: ['rbac', 'p', '--for', 'gitops', '-o', 'json'] },
    { args: ['rbac', 'p', '--check', 'roles'] },
  ],
  fmt: [{ args: ['fmt', 'p', '--diff'] }, { args: ['fmt', 'p', '--check'] }],
  plan: [
    { args: ['plan', '.', '--against', 'HEAD'] },
    { args: ['plan', '.', '--against', 'HEAD', '-o', 'html'] },
    { args: ['plan', '.', '--output-dir', 'planned'] },
  ],
  test: [{ args: ['test', 'tests', '--coverage'] }],
  plugin: [{ args: ['plugin', 'discover'] }, { args: ['plugin', 'generate'] }, { args: ['plugin', 'parameters'] }],
  init: [{ args: ['init', 'project'] }],
  completion: [{ args: ['completion', 'bash'] }],
};
