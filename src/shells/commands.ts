import type { Where } from '../options/index.ts';
import { compatCommand } from './compat.ts';
import { completionCommand } from './completion.ts';
import { crdCommand } from './crd.ts';
import { diffCommand } from './diff.ts';
import { doctorCommand } from './doctor.ts';
import { explainCommand } from './explain.ts';
import { graphCommand } from './graph.ts';
import { initCommand } from './init.ts';
import type { Io } from './io.ts';
import { observeCommand } from './observe.ts';
import { docsCommand, instanceCommand, schemaCommand } from './offers.ts';
import { pendingCommand } from './pending.ts';
import { pluginCommand } from './plugin/index.ts';
import { renderCommand } from './render.ts';
import { testCommand } from './test/index.ts';
import { validateCommand } from './validate.ts';

export interface Command {
  /** What stands behind the name in the usage line. */
  usage: string;
  summary: string;
  /** Whose options it takes; those of the command line when it is not given. */
  takes?: Where;
  /** A runner calls it, and knows the exit codes 0 and 1 only. */
  forRunner?: true;
  /** Yields the exit code. */
  run: (args: readonly string[], io: Io, version: string) => Promise<number>;
  /** Commands to try, with what each does. */
  examples?: readonly (readonly [command: string, does: string])[];
}

/** Every command by its name. */
export const commands: Readonly<Record<string, Command>> = {
  render: {
    usage: 'PATH... [options]',
    summary: 'Print the objects that the instances render to, or write them as files; - reads standard input.',
    takes: 'render',
    run: renderCommand,
  },
  crd: {
    usage: 'PATH... [options]',
    summary: 'Print the CustomResourceDefinitions that the RGDs generate, sorted by name.',
    takes: 'crd',
    run: crdCommand,
  },
  pending: {
    usage: 'PATH... [options]',
    summary: 'List the values that only live objects have: who waits, for which field of which object.',
    takes: 'pending',
    run: pendingCommand,
  },
  observe: {
    usage: 'PATH... --from PATH [options]',
    summary: 'Print what the package reads of live objects, for --observed; - reads standard input.',
    takes: 'observe',
    run: observeCommand,
  },
  diff: {
    usage: 'OLD NEW | PATH... --against REF [options]',
    summary: 'Print what a change does to the rendered objects: added, removed, changed, deleted and created anew.',
    examples: [
      ['diff ../main/apps apps', 'Compares two folders.'],
      ['diff apps --definitions platform --against main', 'Compares the working tree with a branch of git.'],
      ['diff apps --against HEAD~1 -o markdown', 'Writes a comment for a pull request.'],
    ],
    takes: 'diff',
    run: diffCommand,
  },
  explain: {
    usage: 'KIND/NAME [NODE] PATH... | KIND/NAME .FIELD PATH... [options]',
    summary: 'Tell why a node of an instance is included, skipped or pending, and where a rendered field comes from.',
    examples: [
      ['explain WebApp/shop apps/ platform/', 'Lists what became of every node of an instance.'],
      ['explain WebApp/shop ingress apps/ platform/', 'Tells why, with the value of every expression part by part.'],
      ['explain Deployment/shop .spec.replicas apps/ platform/', 'Leads from a field back to where it was written.'],
    ],
    takes: 'explain',
    run: explainCommand,
  },
  instance: {
    usage: 'KIND PATH... [options]',
    summary: 'Print an instance to start from, with a comment on every field.',
    examples: [['instance WebApp platform/ >shop.yaml', 'Starts a new instance.']],
    takes: 'instance',
    run: instanceCommand,
  },
  schema: {
    usage: 'KIND PATH... [options] | rgd | config',
    summary: 'Print the JSON Schema of the instances of a kind, of RGD files, or of the functionConfig, for editors.',
    examples: [
      ['schema WebApp platform/ >webapp.schema.json', 'Checks instances in an editor.'],
      ['schema rgd >rgd.schema.json', 'Checks RGDs in an editor.'],
    ],
    takes: 'schema',
    run: schemaCommand,
  },
  docs: {
    usage: 'PATH... [options]',
    summary: 'Print a Markdown reference of what RGDs offer: fields, objects, status.',
    examples: [['docs platform/ >PLATFORM.md', 'Documents a platform.']],
    takes: 'docs',
    run: docsCommand,
  },
  graph: {
    usage: 'PATH... [options]',
    summary: 'Draw the graphs of RGDs: which node reads which, and what becomes of the nodes in an instance.',
    examples: [
      ['graph platform/ -o svg >platform.svg', 'Draws every RGD of a folder, for light and dark pages.'],
      ['graph platform/ --rgd webapp', 'Prints one RGD as Mermaid, which GitHub draws in Markdown.'],
      [
        'graph platform/ apps/ --instance WebApp/shop -o dot | dot -Tpng >shop.png',
        'Colours the nodes of an instance.',
      ],
    ],
    takes: 'graph',
    run: graphCommand,
  },
  doctor: {
    usage: '[PATH...] [options]',
    summary: 'Tell whether something was not rendered, and which kustomizations miss the rendering.',
    takes: 'doctor',
    run: doctorCommand,
  },
  validate: {
    usage: 'PATH... [options]',
    summary: 'Tell everything that is wrong with RGDs and instances; - reads standard input.',
    takes: 'validate',
    examples: [
      ['validate apps/', 'Tells what is wrong with everything in apps/.'],
      ['validate apps/ --report github --report sarif=out.sarif', 'Annotates a pull request, and keeps a file too.'],
      ['validate apps/ --watch', 'Looks again whenever a file changes.'],
    ],
    run: validateCommand,
  },
  test: {
    usage: 'DIR... [options]',
    summary: 'Run the golden tests below folders: what instances render to, against what is expected.',
    takes: 'test',
    examples: [
      ['test tests/', 'Runs every test below tests/.'],
      ['test tests/ --update', 'Writes what is expected of those that do not pass.'],
      ['test tests/ --coverage --coverage-report lcov=coverage.lcov', 'Tells what they reach.'],
    ],
    run: testCommand,
  },
  compat: {
    usage: 'OLD NEW | PATH... --against REF [options]',
    summary: 'Tell which changes of the schemas of RGDs break instances; OLD or NEW may be -, standard input.',
    takes: 'compat',
    examples: [
      ['compat main/platform platform', 'Compares two versions of RGDs.'],
      ['compat platform --against main', 'Compares the working tree with a branch of git.'],
      ['compat old.yaml new.yaml --instances apps/', 'Names the instances in apps/ that a change breaks.'],
      ['compat old.yaml new.yaml --conservative', 'Counts what kro 0.10 may refuse.'],
    ],
    run: compatCommand,
  },
  init: {
    usage: 'DIR',
    summary: 'Write a small project to start from: an RGD, an instance, a test, a kustomization, a workflow.',
    examples: [['init website', 'Starts a project in the folder website.']],
    takes: 'init',
    run: initCommand,
  },
  completion: {
    usage: 'bash|zsh|fish',
    summary: 'Print a script that completes commands and options in a shell.',
    examples: [
      ['completion bash >~/.local/share/bash-completion/completions/render-rgd', 'Completes in new shells of bash.'],
      ['completion fish >~/.config/fish/completions/render-rgd.fish', 'The same for fish.'],
    ],
    takes: 'completion',
    run: (args, io) => completionCommand(commands, args, io),
  },
  plugin: {
    usage: 'discover|generate|parameters [options]',
    summary: 'What Argo CD calls in the current folder; parameters come from the environment.',
    takes: 'administrator',
    forRunner: true,
    run: (args, io) => pluginCommand(args, io),
  },
};
