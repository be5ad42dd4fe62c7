import { countAssignments, isEmptySegment, toSegments } from './segments.js';
import type { ShellRedirect, ShellTokens, ShellWord } from './shell-token.js';
import { tokenise } from './tokenise.js';
import { possibleWrapped } from './wrappers.js';

/** A command found anywhere in a command line, without what stood in front of it. */
export type FoundCommand = { readonly words: readonly ShellWord[] };

export type Found = {
  readonly commands: readonly FoundCommand[];
  readonly redirects: readonly ShellRedirect[];
};

const KEYWORDS = new Set(
  'if then else elif do while until ! coproc function { } case in for select'.split(' '),
);

/**
 * Every command that a source may run, however deep and whether or not the rest is understood: in substitutions,
 * groups, control structures, functions, behind assignments and wrappers. It finds rather more than there is.
 */
export function findCommands(source: string, tokens: ShellTokens): Found {
  const commands: FoundCommand[] = [];
  const redirects: ShellRedirect[] = [];
  const seen = new Set([source]);
  const pending: ShellTokens[] = [tokens];
  const visit = (text: string): void => {
    if (seen.has(text)) return;
    seen.add(text);
    pending.push(tokenise(text));
  };
  if (tokens.problem?.endsWith('does not close') === true) visit(source.replace(/['"`\\]/g, ' '));
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const segment of toSegments(next.tokens)) {
      if (isEmptySegment(segment)) continue;
      redirects.push(...segment.redirects);
      commands.push(...commandsIn(segment.words));
    }
    next.nested.forEach(visit);
  }
  return { commands, redirects };
}

/** The command that words are, and what is left of it without keywords, assignments and wrappers. */
export function commandsIn(words: readonly ShellWord[]): readonly FoundCommand[] {
  const found: FoundCommand[] = [];
  const pending = [words];
  for (let rest = pending.pop(); rest !== undefined; rest = pending.pop()) {
    if (rest.length === 0) continue;
    found.push({ words: rest });
    const group = rest.findIndex(({ raw }, index) => index > 0 && raw === '{');
    if (group > 0) pending.push(rest.slice(group + 1)); // `function f { …`
    const assignments = countAssignments(rest);
    if (assignments > 0) pending.push(rest.slice(assignments));
    else if (KEYWORDS.has(rest[0]?.raw ?? '')) pending.push(rest.slice(1));
    else pending.push(...possibleWrapped(rest));
  }
  return found;
}

/** The spellings under which a command is matched by rules that deny or ask. */
export function spellings({ words }: FoundCommand): readonly string[] {
  const raw = words.map((word) => word.raw).join(' ');
  const text = words.map((word) => word.text).join(' ');
  const all = [raw, text];
  if (words.some((word) => word.isDynamic)) {
    all.push(
      text.replace(/\$\{?IFS\}?/g, ' ').replace(/ {2,}/g, ' '),
      text.replace(/\$(?:\{[^}]*\}|[@*]|[A-Za-z_]\w*|\d)/g, ''),
      text.replace(/[{}]/g, '').replace(/,/g, ' '),
    );
  }
  return all;
}
