import {
  COMPLETED_COMMANDS,
  COMPLETED_RUN_FLAGS,
  type CompletedFlag,
  type Offer,
} from './values.js';

/** A script for zsh: a file `_troupe` in the `fpath`, or to be read by `source`. */
export function zshScript(): string {
  const described = COMPLETED_COMMANDS.map(
    ({ name, help }) => `    ${quote(`${name}:${help.replaceAll(':', '\\:')}`)}`,
  );
  const cases = COMPLETED_COMMANDS.map(
    ({ name, flags, words }) => `    ${name})
      shift words
      ((CURRENT -= 1))
      _arguments ${[...flags.map(specOf), `'*: :${actionOf(words)}'`].join(' \\\n        ')}
      ;;`,
  );
  return `#compdef troupe
# troupe for zsh. In ~/.zshrc, after compinit: source <(troupe completion zsh)
_troupe() {
  local -a commands
  commands=(
${described.join('\n')}
  )
  if ((CURRENT == 2)) && [[ \${words[2]} != -* ]]; then
    _describe command commands
    return
  fi
  case \${words[2]} in
${cases.join('\n')}
    *)
      _arguments ${[...COMPLETED_RUN_FLAGS.map(specOf), "'*: :_files'"].join(' \\\n        ')}
      ;;
  esac
}
if [[ \${funcstack[1]} == _troupe ]]; then
  _troupe "$@"
else
  compdef _troupe troupe
fi`;
}

/** One flag in the form of `_arguments`: `'(-p --print)'{-p,--print}'[help]:VALUE:action'`. */
function specOf({ names, help, isList, value }: CompletedFlag): string {
  const text = help.replaceAll(/[[\]\\]/g, (char) => `\\${char}`);
  const action =
    value === undefined ? '' : `:${value.label.replaceAll(':', '')}:${actionOf(value.offer)}`;
  const tail = `[${text}]${action}`;
  const [first = '', ...others] = names;
  const star = isList ? '*' : '';
  if (others.length === 0) return quote(`${star}${first}${tail}`);
  const front = isList ? quote('*') : quote(`(${names.join(' ')})`);
  return `${front}{${names.join(',')}}${quote(tail)}`;
}

function actionOf(offer: Offer): string {
  if (offer === 'nothing') return ' ';
  if (offer === 'files') return '_files';
  if (offer === 'folders') return '_files -/';
  return `(${offer.join(' ')})`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
