import { Collector } from '../core/diagnostics/index.ts';
import { groupKind, groupVersionKind, nameOf } from '../core/model/object.ts';
import { visibleOnOneLine } from '../core/text/visible.ts';
import { addressOf } from '../describe/address/index.ts';
import { isResourceSet } from '../flux/index.ts';
import { definedKinds, isRgd } from '../kro/definition/index.ts';
import { flagOf } from '../render/options/index.ts';
import { objectsIn, readStreams } from '../yaml/parse/index.ts';
import { type Command, defineCommand, plainReporting } from './command.ts';
import { readFiles } from './files.ts';
import { namesOfRefs } from './git/commit.ts';
import { descriptions } from './help.ts';
import { conclude, refuse } from './output.ts';

/** The words that a shell may complete from files: the last are the branches and tags of git. */
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

/** Each asks `completion words` for the last word (WORD, tab, description), and completes paths if there is none. */
const SCRIPTS = {
  bash: `# bash completion for render-rgd: source <(render-rgd completion bash)
_render_rgd() {
  local word about
  COMPREPLY=()
  while IFS=$'\\t' read -r word about; do
    if [[ $word == "\${COMP_WORDS[COMP_CWORD]}"* ]]; then COMPREPLY+=("$word"); fi
  done < <(render-rgd completion words -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _render_rgd render-rgd
`,
  zsh: `#compdef render-rgd
# zsh completion for render-rgd: render-rgd completion zsh >"\${fpath[1]}/_render-rgd"
_render_rgd() {
  local -a found
  found=("\${(@f)$(render-rgd completion words -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  found=("\${(@)\${(@)found//:/\\\\:}/$'\\t'/:}")
  if [[ -n $found ]]; then _describe word found; else _files; fi
}
if [[ $funcstack[1] == _render-rgd ]]; then _render_rgd "$@"; elif (( $+functions[compdef] )); then compdef _render_rgd render-rgd; fi
`,
  fish: `# fish completion for render-rgd: render-rgd completion fish | source
function __render_rgd_words
  set -l words (commandline -opc) (commandline -ct)
  set -l found (render-rgd completion words -- $words[2..-1] 2>/dev/null)
  if set -q found[1]
    string join \\n -- $found
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c render-rgd -f -a '(__render_rgd_words)'
`,
};
const SHELLS = Object.keys(SCRIPTS) as (keyof typeof SCRIPTS)[];

export const completion = defineCommand({
  words: SHELLS,
  own: {},
  shared: plainReporting,
  run: async (invocation) => {
    const [shell, ...rest] = invocation.paths;
    const source = WORD_SOURCES.find((one) => one === shell);
    const found =
      source !== undefined
        ? wordsIn(source, rest.length > 0 ? rest : ['.'])
        : shell === 'words' && candidatesFor(rest, await invocation.commands());
    if (found) return conclude(invocation, [], () => found.map((line) => `${line}\n`));
    if (shell === undefined || rest.length > 0) {
      return refuse(`completion needs one of ${SHELLS.join(', ')}`, invocation);
    }
    const known = SHELLS.find((one) => one === shell);
    if (known === undefined) return refuse(`completion: '${shell}' is not one of ${SHELLS.join(', ')}`, invocation);
    return conclude(invocation, [], () => [SCRIPTS[known]]);
  },
});

/** Returns what may stand for the last word of a command line, each with its description; nothing for a path. */
function candidatesFor([name, ...words]: readonly string[], commands: Readonly<Record<string, Command>>): string[] {
  const names = Object.entries(descriptions).map(([one, { summary }]) => `${one}\t${summary}`);
  const help = '--help\tShow the options.';
  if (words.length === 0) return [...names, 'help\tDescribe a command.', help, '--version\tPrint the version.'];
  const isFirst = words.length === 1;
  const command = name !== undefined && Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) return name === 'help' && isFirst ? names : [];
  const options = Object.entries({ ...command.shared, ...command.own }).flatMap(([key, option]) =>
    [flagOf(key), option.short].flatMap((flag) => (flag === undefined ? [] : [{ flag, option }])),
  );
  const [current = '', previous] = words.toReversed();
  const asked = options.find(({ flag, option }) => flag === previous && option.type !== 'boolean')?.option;
  if (asked !== undefined) {
    if (typeof asked.completes === 'string') return wordsIn(asked.completes, ['.']);
    return [...(asked.type === 'choice' ? asked.choices : (asked.completes ?? []))];
  }
  if (current.startsWith('-')) return [...options.map(({ flag, option }) => `${flag}\t${option.description}`), help];
  const { words: known = [], firstWord } = command;
  return isFirst ? [...known, ...(firstWord === undefined ? [] : wordsIn(firstWord, ['.']))] : [];
}
