import type { Span } from './shell-token.js';

/** A part of a command line, as a grammar that is not ours sees it. */
export type SyntaxNode = Span & {
  /** What it is; what stands for itself (`&&`, `if`) is its own type. */
  readonly type: string;
  readonly isNamed: boolean;
  readonly children: readonly SyntaxNode[];
};

/** Parses a command line; undefined where something is wrong with it. */
export type ParseShell = (source: string) => SyntaxNode | undefined;
