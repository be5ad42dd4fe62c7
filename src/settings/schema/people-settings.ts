import { z } from 'zod';

/** The line that a command of the user prints about the session. */
export type StatusLineSettings = {
  /** Kind of the line; only `command` has an effect. */
  readonly type?: string | undefined;
  /** Shell command. It reads JSON about the session on stdin and prints the line. */
  readonly command?: string | undefined;
  /** Blanks in front of the line. */
  readonly padding?: number | undefined;
  /** Seconds after which the command runs again, also if the session does nothing; at least 1. */
  readonly refreshInterval?: number | undefined;
  readonly [field: string]: unknown;
};

/** Texts that agents put at the end of what they publish. */
export type Attribution = {
  /** End of a commit message; nothing if empty. */
  readonly commit?: string | undefined;
  /** End of the description of a pull request; nothing if empty. */
  readonly pr?: string | undefined;
  readonly [field: string]: unknown;
};

/** Settings about texts for people. */
export type PeopleSettings = {
  /** Name of the output style of the main agent. */
  readonly outputStyle?: string | undefined;
  /** Language of the answers. */
  readonly language?: string | undefined;
  /** The line about the session at a terminal. */
  readonly statusLine?: StatusLineSettings | undefined;
  /** The keys of the prompt at a terminal: those of other programs, or those of vim. */
  readonly editorMode?: 'normal' | 'vim' | undefined;
  /** False: a session at a terminal keeps no earlier versions of files. */
  readonly fileCheckpointingEnabled?: boolean | undefined;
  /** Texts at the end of commits and pull requests. */
  readonly attribution?: Attribution | undefined;
  /** True: commits name the model as co-author, unless `attribution.commit` says something else. */
  readonly includeCoAuthoredBy?: boolean | undefined;
};

export const forPeople = () => ({
  outputStyle: z
    .string()
    .min(1)
    .optional()
    .describe(
      'How the main agent answers: the name of a file in `output-styles`, or a built-in one.',
    ),
  language: z.string().min(1).optional().describe("Language of the main agent's answers."),
  statusLine: z
    .looseObject({
      type: z.string().optional(),
      command: z.string().optional(),
      padding: z.int().min(0).max(40).optional(),
      refreshInterval: z.number().min(1).max(86_400).optional(),
    })
    .optional()
    .describe(
      'A shell command that prints a line about the session at a terminal. It reads JSON on stdin.',
    ),
  editorMode: z
    .enum(['normal', 'vim'])
    .optional()
    .describe('Keys of the prompt at a terminal: `vim`, or `normal` otherwise.'),
  fileCheckpointingEnabled: z
    .boolean()
    .optional()
    .describe('False: terminals keep no versions of files.'),
  attribution: z
    .looseObject({ commit: z.string().optional(), pr: z.string().optional() })
    .optional()
    .describe('Texts at the end of commit messages and of descriptions of pull requests.'),
  includeCoAuthoredBy: z
    .boolean()
    .optional()
    .describe('True: commits name the model as co-author, unless attribution.commit is there.'),
});
