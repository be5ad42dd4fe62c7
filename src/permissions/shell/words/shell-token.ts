/** A place in the source: indices of UTF-16 units; `end` is exclusive. */
export type Span = { readonly start: number; readonly end: number };

/** The expansions of a word that is dynamic by plain parameters alone: `$x`, `${x}`, `$1`, `$@`. They run nothing. */
export type PlainParameters = {
  readonly places: readonly Span[];
  /** One of the parameters is not quoted, or is `$@`: it may become more words, or none. */
  readonly maySplit: boolean;
};

/** A word of a command line. `text` is the program's argument, as far as it is known without running anything. */
export type ShellWord = Span & {
  readonly type: 'word';
  /** As written, line continuations joined. */
  readonly raw: string;
  /** Quotes removed; expansions left as written. */
  readonly text: string;
  /** The word holds an expansion, a substitution or braces: `text` is not the program's argument. */
  readonly isDynamic: boolean;
  /** Absent if anything else makes the word dynamic. */
  readonly parameters?: PlainParameters;
  /** The text without its expansions; absent if the word holds no expansions. */
  readonly bare?: string;
  /** Holds an unquoted `{`. */
  readonly hasBrace?: true;
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

/** `<<END` up to the end of its delimiter; the body follows the end of the line. */
export type HereDocument = Span & {
  readonly type: 'hereDocument';
  readonly delimiter: ShellWord;
  readonly body: string;
  /** Index behind the last line of the here-document. */
  readonly bodyEnd: number;
  /** Why the program's input is not the body, or undefined. */
  readonly problem: string | undefined;
};

export type ShellOperator = Span & { readonly type: 'operator'; readonly operator: string };

export type ShellToken = ShellWord | ShellRedirect | HereDocument | ShellOperator;

export type ShellTokens = {
  readonly tokens: readonly ShellToken[];
  /** The first part that cannot be read as words and operators, or undefined. */
  readonly problem: string | undefined;
  /** Source text of the commands inside words: substitutions, also those in here-documents and parameter defaults. */
  readonly nested: readonly string[];
};
