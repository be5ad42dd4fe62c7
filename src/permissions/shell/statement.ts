import type { HereDocument, ShellOperator, ShellRedirect, ShellWord } from './shell-token.js';

/** What one command is made of, in the order written within each list. */
export type SimpleCommand = {
  readonly type: 'simple';
  readonly words: readonly ShellWord[];
  readonly redirects: readonly ShellRedirect[];
  readonly hereDocuments: readonly HereDocument[];
};

/** The redirects of a whole group or control structure. */
type Redirected = Pick<SimpleCommand, 'redirects' | 'hereDocuments'>;

/** A command line as our own grammar sees it. */
export type Statement =
  | SimpleCommand
  /** Separated by `;`, `&` or newlines. */
  | { readonly type: 'sequence'; readonly parts: readonly Statement[] }
  | {
      readonly type: 'andOr';
      readonly first: Statement;
      readonly rest: readonly { readonly operator: '&&' | '||'; readonly statement: Statement }[];
    }
  | { readonly type: 'pipeline'; readonly parts: readonly Statement[]; readonly isNegated: boolean }
  | (Redirected & { readonly type: 'group' | 'subshell'; readonly body: Statement })
  | (Redirected & { readonly type: 'if'; readonly parts: readonly Statement[] })
  | (Redirected & {
      readonly type: 'loop';
      /** Of `for`: what it runs through. */
      readonly variable?: string;
      readonly parts: readonly Statement[];
    })
  | (Redirected & { readonly type: 'case'; readonly parts: readonly Statement[] });

/** What a command line is made of besides its simple commands, for comparing. */
export type Skeleton = {
  /** Operators and reserved words; newlines are left out. */
  readonly marks: readonly (ShellOperator | ShellWord)[];
  /** Words of control structures that are data: what a loop runs through, patterns. */
  readonly data: readonly ShellWord[];
};
