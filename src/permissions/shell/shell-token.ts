/** A word of a command line. `text` is what the program receives, as far as that is known without running anything. */
export type ShellWord = {
  readonly type: 'word';
  /** As written, line continuations joined. */
  readonly raw: string;
  /** Quotes removed; expansions left as written. */
  readonly text: string;
  /** Holds an expansion, a substitution or braces: `text` is not what the program receives. */
  readonly isDynamic: boolean;
  /** Holds an unquoted `*`, `?` or `[`. */
  readonly isGlob: boolean;
  /** Starts with an unquoted `~`. */
  readonly isTilde: boolean;
};

export type ShellRedirect = {
  readonly type: 'redirect';
  /** The operator without its descriptor number. */
  readonly operator: string;
  readonly target: ShellWord;
};

type ShellOperator = { readonly type: 'operator'; readonly operator: string };

export type ShellToken = ShellWord | ShellRedirect | ShellOperator;

export type ShellTokens = {
  readonly tokens: readonly ShellToken[];
  /** The first thing that leaves the grammar of plain commands, or undefined. */
  readonly problem: string | undefined;
  /** Source text of what is run inside words: substitutions, also those in here-documents and parameter defaults. */
  readonly nested: readonly string[];
};
