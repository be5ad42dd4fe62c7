const MAX_CHARACTERS = 10_000;

/**
 * Control characters except tab and newline, blanks that a shell does not split at, and characters that hide or reorder
 * text.
 */
const DECEPTIVE =
  // eslint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000b-\u001f\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufeff\uffa0\ufff0-\uffff\p{Cs}\u{e0000}-\u{e0fff}]/u;

/** Whether a command line holds characters that people cannot see or that a shell reads differently. */
export function holdsHidden(command: string): boolean {
  return DECEPTIVE.test(command);
}

/** Whether a command line is too long to parse. */
export function isOverlong(command: string): boolean {
  return command.length > MAX_CHARACTERS;
}

/** Why a command line is rejected unread, or undefined. */
export function preCheck(command: string): string | undefined {
  if (isOverlong(command)) {
    return `it is longer than ${MAX_CHARACTERS} characters`;
  }
  const found = DECEPTIVE.exec(command);
  if (found === null) return undefined;
  const code = (found[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return `it holds the character U+${code}, which people cannot see or a shell reads differently`;
}
