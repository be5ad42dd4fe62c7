import type { DiffHunk } from '../core/text/diff-hunks.js';

/** The result of a call for people, as plain data that terminals and pages draw. Its texts may come from anywhere. */
export type ToolView =
  | {
      readonly kind: 'summary';
      /** One line. */
      readonly text: string;
    }
  | {
      readonly kind: 'diff';
      /** The changed files. */
      readonly files: readonly FileDiff[];
    }
  | {
      readonly kind: 'command';
      /** The command line. */
      readonly command: string;
      /** The output of the command, unchanged. */
      readonly output: string;
      /** Exit code; absent if the command has none yet. */
      readonly exitCode?: number;
    }
  | {
      readonly kind: 'list';
      /** The entries, one line each. */
      readonly items: readonly string[];
    }
  | {
      readonly kind: 'table';
      /** Names of the columns. */
      readonly columns: readonly string[];
      /** The cells of each row, in the order of the columns. */
      readonly rows: readonly (readonly string[])[];
    }
  | {
      readonly kind: 'question';
      /** The questions with the answers of a person. */
      readonly answers: readonly AnsweredQuestion[];
    };

/** The change of one file. */
export type FileDiff = {
  /** Absolute path. */
  readonly path: string;
  /** Whether the file is new. */
  readonly isNew: boolean;
  /** Passages that changed; none if the file was not compared. */
  readonly hunks: readonly DiffHunk[];
};

/** A question with its answer. */
export type AnsweredQuestion = {
  /** The whole question. */
  readonly question: string;
  /** The choices, or the person's own words. */
  readonly answer: readonly string[];
};
