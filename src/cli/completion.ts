import { addressOf } from '../authoring/address/index.ts';
import { Collector } from '../core/diagnostics/index.ts';
import { groupKind, groupVersionKind, nameOf } from '../core/model/object.ts';
import { visibleOnOneLine } from '../core/text/visible.ts';
import { isResourceSet } from '../flux/index.ts';
import { definedKinds, isRgd } from '../kro/definition/index.ts';
import { flagOf, type OptionSet, reportingOptions } from '../render/options/index.ts';
import { objectsIn, readStreams } from '../yaml/parse/index.ts';
import { type Command, defineCommand } from './command.ts';
import { conclude, refuse } from './conclude.ts';
import { readFiles } from './files.ts';
import { namesOfRefs } from './git/index.ts';

/**
 * The words that a shell may complete: the kinds that RGDs define, their instances by address, the names of RGDs, and
 * the branches and tags of git.
 */
const WORD_SOURCES = ['kinds', 'instances', 'rgds', 'refs'] as const;
type WordSource = (typeof WORD_SOURCES)[number];

/** Returns the words in the files below some paths, one per line, sorted. Unreadable files have none. */
function wordsIn(source: WordSource, paths: readonly string[]): string[] {
  if (source === 'refs') return plainWords(namesOfRefs(paths[0] ?? '.'));
  const reports = new Collector();
  const texts = readFiles(paths, {}, reports);
  const documents = readStreams(texts, reports);
  const objects = objectsIn(documents).filter(({ secret }) => secret === undefined);
  const kinds = definedKinds(documents);
  const known = new Set(kinds.map(groupKind));
  const words = {
    kinds: () => kinds.map(({ kind }) => kind),
    rgds: () => objects.flatMap(({ object }) => (isRgd(object) ? nameOf(object) : [])),
    instances: () =>
      objects.flatMap(({ object }) =>
        known.has(groupKind(groupVersionKind(object))) || isResourceSet(object) ? addressOf(object) : [],
      ),
  };
  return plainWords(words[source]());
}

/** Words with a space, or a special character of the shell, are not completed. */
function plainWords(words: readonly string[]): string[] {
  const plain = words.filter((word) => /^[\w./-]+$/.test(word) && visibleOnOneLine(word) === word);
  return [...new Set(plain)].sort();
}

const SHELLS = ['bash', 'zsh', 'fish'] as const;

const { color, quiet, report } = reportingOptions;

export const completion = defineCommand({
  group: 'Set up',
  usage: 'bash|zsh|fish',
  summary: 'Print a script that completes commands and options in a shell.',
  examples: [
    ['completion bash >~/.local/share/bash-completion/completions/render-rgd', 'Completes in new shells of bash.'],
    ['completion fish >~/.config/fish/completions/render-rgd.fish', 'The same for fish.'],
  ],
  words: SHELLS,
  own: {},
  shared: { color, quiet, report },
  run: async (invocation) => {
    const [shell, ...rest] = invocation.paths;
    const source = WORD_SOURCES.find((one) => one === shell);
    if (source !== undefined) {
      const words = wordsIn(source, rest.length > 0 ? rest : ['.']);
      return conclude(invocation, [], () => words.map((word) => `${word}\n`));
    }
    if (shell === undefined || rest.length > 0) {
      return refuse(`completion needs one of ${SHELLS.join(', ')}`, invocation);
    }
    const known = SHELLS.find((one) => one === shell);
    if (known === undefined) return refuse(`completion: '${shell}' is not one of ${SHELLS.join(', ')}`, invocation);
    const all = offered(await invocation.commands());
    return conclude(invocation, [], () => [scripts[known](all)]);
  },
});

interface Flag {
  flag: string;
  short: string | undefined;
  takesValue: boolean;
  choices: readonly string[];
  /** The source of values that depend on the folder. */
  source: WordSource | undefined;
  description: string;
}

interface Offered {
  name: string;
  summary: string;
  words: readonly string[];
  firstWord: WordSource | undefined;
  flags: readonly Flag[];
}

const offered = (commands: Readonly<Record<string, Command>>): Offered[] =>
  Object.entries(commands).map(([name, { summary, words = [], firstWord, own, shared }]) => {
    const flags = flagsOf({ ...shared, ...own });
    return { name, summary, words, firstWord, flags };
  });

const flagsOf = (options: OptionSet): Flag[] =>
  Object.entries(options).map(([name, option]) => ({
    flag: flagOf(name),
    short: option.short,
    takesValue: option.type !== 'boolean',
    choices: option.type === 'choice' ? option.choices : typeof option.completes === 'object' ? option.completes : [],
    source: typeof option.completes === 'string' ? option.completes : undefined,
    description: option.description,
  }));

/** A shell function that prints the words of a source. */
const WORDS_FUNCTION = `_render_rgd_words() {
  render-rgd completion "$1" 2>/dev/null
}
`;

const namesOf = ({ flag, short }: Flag): string[] => (short === undefined ? [flag] : [flag, short]);

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const scripts: Readonly<Record<(typeof SHELLS)[number], (all: readonly Offered[]) => string>> = {
  bash: (all) => `# bash completion for render-rgd: source <(render-rgd completion bash)
${WORDS_FUNCTION}_render_rgd() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} command=\${COMP_WORDS[1]} words=
  COMPREPLY=()
  if (( COMP_CWORD == 1 )); then
    COMPREPLY=( $(compgen -W ${quoted([...all.map(({ name }) => name), 'help', '--help', '--version'].join(' '))} -- "$cur") )
    return
  fi
  case "$command $prev" in
${all.flatMap(bashValues).join('')}  esac
  case $command in
${all.map(bashFlags).join('')}    help) words=${quoted(all.map(({ name }) => name).join(' '))} ;;
  esac
  if (( COMP_CWORD == 2 )) && [[ $cur != -* ]]; then
    case $command in
${all.flatMap(bashFirst).join('')}    esac
  fi
  if [[ $cur == -* ]] || { (( COMP_CWORD == 2 )) && [[ " $words" != ' -'* ]]; }; then
    COMPREPLY=( $(compgen -W "$words" -- "$cur") )
  fi
}
complete -o default -F _render_rgd render-rgd
`,
  zsh: (all) => `#compdef render-rgd
# zsh completion for render-rgd: render-rgd completion zsh >"\${fpath[1]}/_render-rgd"
${WORDS_FUNCTION}_render_rgd() {
  local -a commands
  commands=(
${all.map(({ name, summary }) => `    ${quoted(`${name}:${summary}`)}\n`).join('')}  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT -= 1 ))
  case $command in
${all.map(zshFlags).join('')}    help) _arguments '1:command:(${all.map(({ name }) => name).join(' ')})' ;;
  esac
}
if [[ $funcstack[1] == _render-rgd ]]; then _render_rgd "$@"; elif (( $+functions[compdef] )); then compdef _render_rgd render-rgd; fi
`,
  fish: (all) => `# fish completion for render-rgd: render-rgd completion fish | source
set -l commands ${all.map(({ name }) => name).join(' ')} help
${all.map(({ name, summary }) => `complete -c render-rgd -f -n "not __fish_seen_subcommand_from $commands" -a ${name} -d ${fishQuoted(summary)}\n`).join('')}complete -c render-rgd -f -n '__fish_seen_subcommand_from help' -a ${quoted(all.map(({ name }) => name).join(' '))}
${all.flatMap(fishFlags).join('')}`,
};

function bashValues({ name, flags }: Offered): string[] {
  return flags.flatMap((flag) => {
    if (!flag.takesValue) return [];
    const patterns = namesOf(flag)
      .map((one) => quoted(`${name} ${one}`))
      .join('|');
    const words = flag.source === undefined ? quoted(flag.choices.join(' ')) : `"$(_render_rgd_words ${flag.source})"`;
    const isKnown = flag.source !== undefined || flag.choices.length > 0;
    const action = isKnown ? `COMPREPLY=( $(compgen -W ${words} -- "$cur") ); return` : 'return';
    return [`    ${patterns}) ${action} ;;\n`];
  });
}

const bashFirst = ({ name, firstWord }: Offered): string[] =>
  firstWord === undefined ? [] : [`      ${name}) words="$(_render_rgd_words ${firstWord}) $words" ;;\n`];

const bashFlags = ({ name, words, flags }: Offered): string =>
  `    ${name}) words=${quoted([...words, ...flags.flatMap(namesOf), '--help'].join(' '))} ;;\n`;

function zshFlags({ name, words, firstWord, flags }: Offered): string {
  const described = (text: string): string => text.replace(/[[\]:\\]/g, (char) => `\\${char}`);
  const specs = flags.flatMap((flag) => {
    const known = flag.choices.length > 0 ? `:value:(${flag.choices.join(' ')})` : ':value:_files';
    const values = flag.source === undefined ? known : `:value:{compadd -- $(_render_rgd_words ${flag.source})}`;
    return namesOf(flag).map((one) =>
      quoted(`*${one}[${described(flag.description)}]${flag.takesValue ? values : ''}`),
    );
  });
  const found = `1:word:{compadd -- ${[...words, `$(_render_rgd_words ${firstWord})`].join(' ')}}`;
  const first =
    firstWord !== undefined ? [quoted(found)] : words.length > 0 ? [quoted(`1:word:(${words.join(' ')})`)] : [];
  const all = [...specs, quoted('--help[Show the options.]'), ...first, quoted('*:path:_files')];
  return `    ${name}) _arguments \\\n${all.map((spec) => `      ${spec}`).join(' \\\n')} ;;\n`;
}

const fishWords = (source: WordSource): string => `(render-rgd completion ${source} 2>/dev/null)`;

const fishQuoted = (text: string): string => `'${text.replace(/[\\']/g, (char) => `\\${char}`)}'`;

function fishFlags({ name, words, firstWord, flags }: Offered): string[] {
  const on = `complete -c render-rgd -n '__fish_seen_subcommand_from ${name}'`;
  const lines = flags.map(({ flag, short, takesValue, choices, source, description }) => {
    const names = `-l ${flag.slice(2)}${short === undefined ? '' : ` -s ${short.slice(1)}`}`;
    const value =
      source !== undefined
        ? ` -x -a ${fishQuoted(fishWords(source))}`
        : choices.length > 0
          ? ` -x -a ${fishQuoted(choices.join(' '))}`
          : takesValue
            ? ' -r'
            : '';
    return `${on} ${names}${value} -d ${fishQuoted(description)}\n`;
  });
  const first = [...words, ...(firstWord === undefined ? [] : [fishWords(firstWord)])].join(' ');
  return first === '' ? lines : [`${on} -a ${fishQuoted(first)}\n`, ...lines];
}
