import { ExpressionError } from './expression-error.js';
import { toText, type Scope } from './evaluate.js';
import { fillToText, parseTemplate } from './template.js';

/**
 * Characters that a command with an expression may not have: without quotes, escapes, substitutions, comments,
 * here-documents and subscripts, a value in single quotes is one word and nothing else, whatever it contains.
 */
const UNSURE = /['"\\$`#[]|<<|\(\(/;

/**
 * Fill the values into a command, each as one quoted word: the shell evaluates no part of a value.
 *
 * @param command a text, or words, which are quoted if necessary
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

/** @throws ExpressionError if the shell could evaluate a value */
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
