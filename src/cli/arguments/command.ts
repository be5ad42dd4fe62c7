import type { SettingSource } from '../../extensions/settings/settings-files.js';
import type { InputFormat, OutputFormat } from './flags.js';

/** What a command line asks for. Nothing outside it has been looked at yet: no file, no environment. */
export type Command =
  | { readonly type: 'help' }
  | { readonly type: 'version' }
  | { readonly type: 'demo'; readonly model: string | undefined; readonly verbose: boolean }
  | ({ readonly type: 'config'; readonly isJson: boolean } & SettingsArguments)
  | {
      readonly type: 'trust';
      readonly action: 'add' | 'remove' | 'list';
      readonly folder: string;
      readonly isJson: boolean;
    }
  | ({ readonly type: 'run' } & RunArguments);

/** Where settings come from, and what belongs to the workspace. */
export type SettingsArguments = {
  /** Values of `--settings`: JSON texts or paths. */
  readonly settings: readonly string[];
  /** All where absent. */
  readonly settingSources: readonly SettingSource[] | undefined;
  readonly addDirectories: readonly string[];
  /** `--trust`: for this run. */
  readonly trustsFolder: boolean;
};

export type RunArguments = SettingsArguments & {
  /** What stands on the command line; more may come on stdin. */
  readonly prompt: string | undefined;
  readonly outputFormat: OutputFormat;
  readonly inputFormat: InputFormat;
  readonly model: string | undefined;
  readonly permissionMode: string | undefined;
  readonly allowedTools: readonly string[];
  readonly disallowedTools: readonly string[];
  /** Values of `--mcp-config`: JSON texts or paths. */
  readonly mcpConfigs: readonly string[];
  readonly usesOnlyGivenServers: boolean;
  /** JSON text. */
  readonly agents: string | undefined;
  readonly agent: string | undefined;
  readonly maxTurns: number | undefined;
  readonly sessionId: string | undefined;
  /** `--continue`: the newest session of the folder. */
  readonly continues: boolean;
  /** Id of the session to go on with. */
  readonly resume: string | undefined;
  /** `--fork-session`: a copy of it. */
  readonly forks: boolean;
  readonly verbose: boolean;
  readonly asksOnStdio: boolean;
  readonly skipsPermissions: boolean;
};
