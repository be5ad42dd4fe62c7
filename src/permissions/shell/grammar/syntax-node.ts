import type { Span } from '../words/shell-token.js';

/** A part of a command line in the grammar of the second reader. */
export type SyntaxNode = Span & {
  /** The type of the part; a literal (`&&`, `if`) is its own type. */
  readonly type: string;
  readonly isNamed: boolean;
  readonly children: readonly SyntaxNode[];
};

/** Parse a command line; undefined if it has an error. */
export type ParseShell = (source: string) => SyntaxNode | undefined;
