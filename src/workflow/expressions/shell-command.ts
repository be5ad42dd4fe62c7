import { ExpressionError } from './expression-error.js';
import { toText, type Scope } from './evaluate.js';
import { fillToText, parseTemplate } from './template.js';

/**
 * What may not stand in a command beside an expression: where there are no quotes, escapes, substitutions, comments,
 * here-documents and subscripts, a value in single quotes is one word and nothing else, whatever it says.
 */
const UNSURE = /['"\\$`#[]|<<|\(\(/;

/**
 * A command with its values put in, each as one quoted word: nothing of a value is read by the shell.
 *
 * @param command a text, or words, which are quoted where they need it
 * @throws ExpressionError
 */
export function fillCommand(command: string | readonly string[], scope: Scope): string {
  if (typeof command !== 'string')
    return command
      .map((word) => {
        const text = fillToText(word, scope);
        return text === word && PLAIN_WORD.test(word) ? word : quote(text);
      })
      .join(' ');
  checkCommand(command);
  return fillToText(command, scope, (value) => quote(toText(value)));
}

/** @throws ExpressionError where a value could be read by the shell */
export function checkCommand(command: string): void {
  const parts = parseTemplate(command);
  if (parts.every((part) => typeof part === 'string')) return;
  for (const part of parts.filter((one) => typeof one === 'string')) {
    const found = UNSURE.exec(part)?.[0];
    if (found !== undefined)
      throw new ExpressionError(
        `Do not put ${found} into a command that contains \${{ }}: Troupe quotes the values itself. Or write it as a list of words, command: [git, log, "\${{ … }}"], or put the rest into a script.`,
        command.indexOf(found, command.indexOf(part)),
      );
  }
}

const PLAIN_WORD = /^[\w/.:@%+,-]+$/;

function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
