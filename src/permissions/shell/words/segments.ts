import type { HereDocument, ShellRedirect, ShellToken, ShellWord } from './shell-token.js';

/** The part of a command line between two operators: at most one simple command. */
export type Segment = {
  readonly words: readonly ShellWord[];
  readonly redirects: readonly ShellRedirect[];
  readonly hereDocuments: readonly HereDocument[];
  /** A pipe precedes the segment. */
  readonly isPiped: boolean;
};

/**
 * A command anywhere in a command line: the words from one of them on. A chain of wrappers holds thousands of commands,
 * so they share one list.
 */
export type FoundCommand = {
  readonly words: readonly ShellWord[];
  readonly start: number;
};

export function toSegments(tokens: readonly ShellToken[]): readonly Segment[] {
  const segments: Segment[] = [];
  let words: ShellWord[] = [];
  let redirects: ShellRedirect[] = [];
  let hereDocuments: HereDocument[] = [];
  let isPiped = false;
  const close = (): void => {
    if (words.length + redirects.length + hereDocuments.length === 0) return;
    segments.push({ words, redirects, hereDocuments, isPiped });
    words = [];
    redirects = [];
    hereDocuments = [];
    isPiped = false;
  };
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'word' && !isDescriptorName(token, tokens[index + 1])) words.push(token);
    else if (token.type === 'redirect') redirects.push(token);
    else if (token.type === 'hereDocument') hereDocuments.push(token);
    else if (token.type === 'operator') {
      close();
      isPiped ||= token.operator === '|' || token.operator === '|&';
    }
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
  return word.raw.includes('=') ? ASSIGNMENT.exec(word.raw)?.[1] : undefined;
}

/** The number of assignments that the command at `start` starts with. */
export function countAssignments(words: readonly ShellWord[], start = 0): number {
  let end = start;
  for (let word = words[end]; word !== undefined; word = words[end]) {
    if (assignedVariable(word) === undefined) break;
    end++;
  }
  return end - start;
}
