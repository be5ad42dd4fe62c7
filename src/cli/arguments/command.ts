import type { InputFormat, OutputFormat } from './flags.js';

/** What a command line asks for. Nothing outside it has been looked at yet: no file, no environment. */
export type Command =
  | { readonly type: 'help' }
  | { readonly type: 'version' }
  | { readonly type: 'demo'; readonly model: string | undefined; readonly verbose: boolean }
  | ({ readonly type: 'run' } & RunArguments);

export type RunArguments = {
  /** What stands on the command line; more may come on stdin. */
  readonly prompt: string | undefined;
  readonly outputFormat: OutputFormat;
  readonly inputFormat: InputFormat;
  readonly model: string | undefined;
  readonly permissionMode: string | undefined;
  readonly allowedTools: readonly string[];
  readonly disallowedTools: readonly string[];
  readonly settings: readonly string[];
  /** JSON text. */
  readonly agents: string | undefined;
  readonly agent: string | undefined;
  readonly maxTurns: number | undefined;
  readonly sessionId: string | undefined;
  readonly verbose: boolean;
  readonly asksOnStdio: boolean;
  readonly skipsPermissions: boolean;
};
