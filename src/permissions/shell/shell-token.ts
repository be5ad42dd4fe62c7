/** Where something stands in the source: indices of UTF-16 units, `end` behind it. */
export type Span = { readonly start: number; readonly end: number };

/** What makes a word dynamic where that is nothing but plain parameters: `$x`, `${x}`, `$1`, `$@`. They run nothing. */
export type PlainParameters = {
  readonly places: readonly Span[];
  /** One of them is not quoted, or is `$@`: more or fewer words may come of it. */
  readonly maySplit: boolean;
};

/** A word of a command line. `text` is what the program receives, as far as that is known without running anything. */
export type ShellWord = Span & {
  readonly type: 'word';
  /** As written, line continuations joined. */
  readonly raw: string;
  /** Quotes removed; expansions left as written. */
  readonly text: string;
  /** Holds an expansion, a substitution or braces: `text` is not what the program receives. */
  readonly isDynamic: boolean;
  /** Absent where anything else makes it dynamic. */
  readonly parameters?: PlainParameters;
  /** The text without its expansions; absent if it holds none. */
  readonly bare?: string;
  /** Holds an unquoted `*`, `?` or `[`. */
  readonly isGlob: boolean;
  /** Starts with an unquoted `~`. */
  readonly isTilde: boolean;
};

export type ShellRedirect = Span & {
  readonly type: 'redirect';
  /** The operator without its descriptor number. */
  readonly operator: string;
  readonly target: ShellWord;
};

/** `<<END` up to the end of its delimiter; what it brings stands behind the end of the line. */
export type HereDocument = Span & {
  readonly type: 'hereDocument';
  readonly delimiter: ShellWord;
  readonly body: string;
  /** Index behind the line that ends it. */
  readonly bodyEnd: number;
  /** Why its body is not what the program receives, or undefined. */
  readonly problem: string | undefined;
};

export type ShellOperator = Span & { readonly type: 'operator'; readonly operator: string };

export type ShellToken = ShellWord | ShellRedirect | HereDocument | ShellOperator;

export type ShellTokens = {
  readonly tokens: readonly ShellToken[];
  /** The first thing that cannot be read as words and operators, or undefined. */
  readonly problem: string | undefined;
  /** Source text of what is run inside words: substitutions, also those in here-documents and parameter defaults. */
  readonly nested: readonly string[];
};
