import type {
  HereDocument,
  ShellOperator,
  ShellRedirect,
  ShellWord,
} from '../words/shell-token.js';

/** The parts of one command, each list in the order written. */
export type SimpleCommand = {
  readonly type: 'simple';
  readonly words: readonly ShellWord[];
  readonly redirects: readonly ShellRedirect[];
  readonly hereDocuments: readonly HereDocument[];
};

/** The redirects of a whole group or control structure. */
type Redirected = Pick<SimpleCommand, 'redirects' | 'hereDocuments'>;

/** A command line in our own grammar. */
export type Statement =
  | SimpleCommand
  /** Parts separated by `;`, `&` or newlines. */
  | { readonly type: 'sequence'; readonly parts: readonly Statement[] }
  | {
      readonly type: 'andOr';
      readonly first: Statement;
      readonly rest: readonly { readonly operator: '&&' | '||'; readonly statement: Statement }[];
    }
  | { readonly type: 'pipeline'; readonly parts: readonly Statement[] }
  | (Redirected & { readonly type: 'group' | 'subshell'; readonly body: Statement })
  | (Redirected & { readonly type: 'if'; readonly parts: readonly Statement[] })
  | (Redirected & { readonly type: 'loop'; readonly parts: readonly Statement[] })
  | (Redirected & { readonly type: 'case'; readonly parts: readonly Statement[] });

/** The parts of a command line besides its simple commands, for comparing. */
export type Skeleton = {
  /** Operators and reserved words; newlines are left out. */
  readonly marks: readonly (ShellOperator | ShellWord)[];
  /** Words of control structures that are data: the values of a loop, patterns. */
  readonly data: readonly ShellWord[];
};
