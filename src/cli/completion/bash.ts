import {
  COMPLETED_COMMANDS,
  COMPLETED_RUN_FLAGS,
  type CompletedFlag,
  type Offer,
} from './values.js';

/** A script for bash 3.2 and later, to be read by `source`. */
export function bashScript(): string {
  const flags = new Map(
    [...COMPLETED_RUN_FLAGS, ...COMPLETED_COMMANDS.flatMap((one) => one.flags)].map((flag) => [
      flag.names.at(-1),
      flag,
    ]),
  );
  const values = [...flags.values()].flatMap(({ names, value }) =>
    value === undefined ? [] : [`    ${names.join('|')}) ${offer(value.offer)} return ;;`],
  );
  const commands = COMPLETED_COMMANDS.map(
    ({ name, flags: own, words }) =>
      `    ${name}) if [[ $word == -* ]]; then ${offer(namesOf(own))} else ${offer(words)} fi ;;`,
  );
  return `# troupe for bash. In ~/.bashrc: source <(troupe completion bash)
_troupe_offer() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen "$@"))
}
_troupe() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]}
  COMPREPLY=()
  if [[ $word == '=' ]]; then word=
  elif [[ $before == '=' ]]; then before=\${COMP_WORDS[COMP_CWORD-2]}; fi
  case $before in
${values.join('\n')}
  esac
  if ((COMP_CWORD == 1)) && [[ $word != -* ]]; then
    ${offer(COMPLETED_COMMANDS.map(({ name }) => name))}
    return
  fi
  case \${COMP_WORDS[1]} in
${commands.join('\n')}
    *) if [[ $word == -* ]]; then ${offer(namesOf(COMPLETED_RUN_FLAGS))} else ${offer('files')} fi ;;
  esac
}
complete -F _troupe troupe`;
}

function namesOf(flags: readonly CompletedFlag[]): readonly string[] {
  return flags.flatMap(({ names }) => names);
}

/** A command that ends with a semicolon. */
function offer(what: Offer): string {
  const files = 'compopt -o filenames 2>/dev/null; ';
  if (what === 'nothing') return ':;';
  if (what === 'files') return `${files}_troupe_offer -f -- "$word";`;
  if (what === 'folders') return `${files}_troupe_offer -d -- "$word";`;
  return `_troupe_offer -W $'${what.join('\\n')}' -- "$word";`;
}
