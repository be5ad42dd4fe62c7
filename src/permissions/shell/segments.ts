import type { ShellRedirect, ShellToken, ShellWord } from './shell-token.js';

/** What stands between two operators: at most one simple command. */
type Segment = {
  readonly words: readonly ShellWord[];
  readonly redirects: readonly ShellRedirect[];
};

export function toSegments(tokens: readonly ShellToken[]): readonly Segment[] {
  const segments: Segment[] = [];
  let words: ShellWord[] = [];
  let redirects: ShellRedirect[] = [];
  const close = (): void => {
    if (words.length > 0 || redirects.length > 0) segments.push({ words, redirects });
    words = [];
    redirects = [];
  };
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'word' && !isDescriptorName(token, tokens[index + 1])) words.push(token);
    else if (token.type === 'redirect') redirects.push(token);
    else if (token.type === 'operator') close();
  }
  close();
  return segments;
}

/** `{fd}` directly in front of a redirect belongs to it. */
function isDescriptorName({ raw, end }: ShellWord, next: ShellToken | undefined): boolean {
  const isRedirect = next?.type === 'redirect' || next?.type === 'hereDocument';
  return isRedirect && next.start === end && /^\{[A-Za-z_]\w*(?:\[.*\])?\}$/s.test(raw);
}

const ASSIGNMENT = /^([A-Za-z_]\w*)(?:\[[^\]]*\])?\+?=/;

/** The variable that a word in front of a command sets, or undefined. */
export function assignedVariable(word: ShellWord): string | undefined {
  return ASSIGNMENT.exec(word.raw)?.[1];
}

/** How many assignments a command starts with. */
export function countAssignments(words: readonly ShellWord[]): number {
  const first = words.findIndex((word) => assignedVariable(word) === undefined);
  return first < 0 ? words.length : first;
}
