const ADDRESS = /^(?:\d+(?:~\d+)?|\$|\/(?:[^/\\\n]|\\.)+\/I?)/;

/**
 * Whether a sed script only selects and changes text: no command that reads or writes a file or runs a program. Knows
 * the plain forms; whatever else it meets, the answer is no.
 */
export function isHarmlessSedScript(script: string): boolean {
  let rest = script;
  for (;;) {
    rest = rest.replace(/^[\s;{}]+/, '');
    if (rest === '') return true;
    const length = commandLength(rest);
    if (length === 0) return false;
    const opensGroup = rest[length - 1] === '{';
    rest = rest.slice(length);
    if (!opensGroup && rest !== '' && !/^[ \t]*(?:[;}\n]|$)/.test(rest)) return false;
  }
}

/** Length of the harmless command that `script` starts with, or 0. */
function commandLength(script: string): number {
  let rest = script;
  const first = ADDRESS.exec(rest)?.[0];
  if (first !== undefined) {
    rest = rest.slice(first.length);
    const comma = /^\s*,\s*/.exec(rest)?.[0];
    if (comma !== undefined) {
      rest = rest.slice(comma.length);
      const second = /^[+~]\d+/.exec(rest)?.[0] ?? ADDRESS.exec(rest)?.[0];
      if (second === undefined) return 0;
      rest = rest.slice(second.length);
    }
  }
  rest = rest.replace(/^\s*(?:!\s*)?/, '');
  const command =
    /^[pdDPnNhHgGxlz=]/.exec(rest)?.[0] ??
    /^[qQ]\d*/.exec(rest)?.[0] ??
    /^(?::[ \t]*\w+|[btT](?:[ \t]*\w+)?)/.exec(rest)?.[0] ??
    /^[aic](?:\\\n|\\?[ \t]*)[^\s\\][^\\\n]*(?=\n|$)/.exec(rest)?.[0] ??
    /^\{/.exec(rest)?.[0] ??
    substitution(rest);
  return command === undefined ? 0 : script.length - rest.length + command.length;
}

/** `s/a/b/flags` and `y/ab/cd/` with any one delimiter; no flag that writes or executes. */
function substitution(text: string): string | undefined {
  const delimiter = /^[sy]([^\\\n\w\s;{}])/.exec(text)?.[1];
  if (delimiter === undefined) return undefined;
  let parts = 0;
  let index = 2;
  for (; index < text.length && parts < 2; index++) {
    if (text[index] === '\\') index++;
    else if (text[index] === '\n') return undefined;
    else if (text[index] === delimiter) parts++;
  }
  if (parts < 2) return undefined;
  const flags = text[0] === 's' ? (/^[gpiI0-9]*/.exec(text.slice(index))?.[0].length ?? 0) : 0;
  return text.slice(0, index + flags);
}
