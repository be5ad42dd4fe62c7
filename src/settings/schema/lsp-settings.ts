import { z } from 'zod';
import { LONGEST_TIMER_MS } from '../../core/time/duration.js';

/** A language server. Unknown fields are kept, without effect. */
export type LspServerConfig = {
  /** The program to start: a path, or a name that is looked up in `PATH`. */
  readonly command: string;
  /** Arguments of the program; none if absent. */
  readonly args?: readonly string[] | undefined;
  /** Language IDs by ending of the file name, as in `{ ".py": "python" }`. */
  readonly extensionToLanguage: Readonly<Record<string, string>>;
  /** The only transport, stdin and stdout; may be left out. */
  readonly transport?: 'stdio' | undefined;
  /** Variables in addition to those of shells. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Sent to the server when it starts. */
  readonly initializationOptions?: unknown;
  /** Answers the server's questions about its configuration. */
  readonly settings?: Readonly<Record<string, unknown>> | undefined;
  /** How long the server may take to start, ms; 30,000 if absent. */
  readonly startupTimeout?: number | undefined;
  /** False: a server that has ended by itself is not started again. */
  readonly restartOnCrash?: boolean | undefined;
  /** How often a server that has ended by itself is started again; 3 if absent. */
  readonly maxRestarts?: number | undefined;
  readonly [field: string]: unknown;
};
export const LspServerConfig = z.lazy(() =>
  z.looseObject({
    command: z
      .string('must be the program to start')
      .min(1, 'must be the program to start')
      .describe('The program to start: a path, or a name that is looked up in PATH.'),
    args: z.array(z.string()).optional().describe('Arguments of the program.'),
    extensionToLanguage: z
      .record(
        z.string().regex(/^\.[^/]+$/, 'must be the ending of a file name, such as ".py"'),
        z.string().min(1),
      )
      .refine(
        (map) => Object.keys(map).length > 0,
        'must name an ending, as in { ".py": "python" }',
      )
      .describe('Language IDs by ending of the file name, as in { ".py": "python" }.'),
    transport: z.literal('stdio').optional(),
    env: z
      .record(z.string(), z.string())
      .optional()
      .describe('Variables in addition to those of shells.'),
    initializationOptions: z.unknown().optional().describe('Sent to the server when it starts.'),
    settings: z
      .record(z.string(), z.unknown())
      .optional()
      .describe("Answers the server's questions about its configuration."),
    startupTimeout: z
      .int()
      .positive()
      .max(LONGEST_TIMER_MS)
      .optional()
      .describe('How long the server may take to start, ms; 30000 if absent.'),
    restartOnCrash: z
      .boolean()
      .optional()
      .describe('False: a server that has ended by itself is not started again.'),
    maxRestarts: z
      .int()
      .nonnegative()
      .optional()
      .describe('How often a server that has ended by itself is started again; 3 if absent.'),
  }),
) satisfies z.ZodType<LspServerConfig>;

/** Language servers by name. */
export type LspServers = Readonly<Record<string, LspServerConfig>>;
