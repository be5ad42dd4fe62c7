import type { Skeleton, SimpleCommand } from './statement.js';
import type { ShellToken, ShellWord } from './shell-token.js';
import type { SyntaxNode } from './syntax-node.js';
import { partOf, partsOfTree } from './tree-parts.js';

/**
 * Whether a syntax tree describes a command line exactly as our own reader does: the same commands of the same words,
 * the same parameters in them, the same redirects, operators and reserved words, in the same places, and nothing left
 * over. Two independent readers must agree before anything is approved. Our reader alone says what a word means to its
 * program.
 */
export function agrees(
  source: string,
  tree: SyntaxNode,
  tokens: readonly ShellToken[],
  { commands, skeleton }: { commands: readonly SimpleCommand[]; skeleton: Skeleton },
): boolean {
  const theirs = partsOfTree(source, tree);
  if (theirs === undefined) return false;
  const ours = [
    ...commands.flatMap(({ words }) => (words.length > 0 ? [partOf('command', ...words)] : [])),
    ...commands.flatMap(({ words }) => words.flatMap(parametersOf)),
    ...skeleton.marks.map((mark) => partOf('mark', mark)),
    ...skeleton.data.map((word) => partOf('data', word)),
    ...tokens.flatMap((token) => {
      if (token.type === 'redirect')
        return [partOf('redirect', token), ...parametersOf(token.target)];
      if (token.type !== 'hereDocument') return [];
      const { delimiter, bodyEnd } = token;
      return [partOf('document', delimiter, { start: bodyEnd, end: bodyEnd })];
    }),
  ];
  const left = new Set(theirs);
  return ours.length === theirs.length && ours.every((part) => left.delete(part));
}

function parametersOf({ parameters }: ShellWord): readonly string[] {
  return (parameters?.places ?? []).map((place) => partOf('parameter', place));
}
