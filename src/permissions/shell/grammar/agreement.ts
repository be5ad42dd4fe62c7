import type { Skeleton, SimpleCommand } from '../statements/statement.js';
import type { ShellToken, ShellWord } from '../words/shell-token.js';
import type { SyntaxNode } from './syntax-node.js';
import { partOf, partOfDocument, partsOfCommand, partsOfTree } from './tree-parts.js';

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
  const ours: number[] = [];
  const addParameters = ({ parameters }: ShellWord): void => {
    for (const place of parameters?.places ?? []) ours.push(partOf('parameter', place));
  };
  for (const { words } of commands) {
    ours.push(...partsOfCommand(words));
    words.forEach(addParameters);
  }
  for (const mark of skeleton.marks) ours.push(partOf('mark', mark));
  for (const word of skeleton.data) ours.push(partOf('data', word));
  for (const token of tokens) {
    if (token.type === 'redirect') {
      ours.push(partOf('redirect', token));
      addParameters(token.target);
    } else if (token.type === 'hereDocument')
      ours.push(partOfDocument(token.delimiter, token.bodyEnd));
  }
  return areSame(theirs, ours);
}

/** Whether both hold the same parts, each once. */
function areSame(theirs: readonly number[], ours: readonly number[]): boolean {
  if (theirs.length !== ours.length) return false;
  const sorted = Float64Array.from(ours).sort();
  let before = -1;
  return Float64Array.from(theirs)
    .sort()
    .every((part, index) => {
      const isNew = part !== before;
      before = part;
      return isNew && part === sorted[index];
    });
}
