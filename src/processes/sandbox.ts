import type { WaysOutOfSandbox } from '../permissions/shell/excluded-command.js';
import type { Launch } from './containment.js';

/** Which launcher holds commands back. `none` holds nothing: rules and modes alone decide. */
export const SANDBOX_MODES = ['none', 'bwrap', 'external'] as const;
export type SandboxMode = (typeof SANDBOX_MODES)[number];

/** Sandbox of shell commands, beside rules. */
export type SandboxOptions = {
  /** Launcher of shell commands: `bwrap`, an `external` one, or `none` for no sandbox. */
  readonly mode: SandboxMode;
  /**
   * Words in front of the shell, for the mode `external`. `{cwd}` and `{network}` (`yes` or `no`) are filled in; a word
   * with `{writable}`, `{readOnly}` or `{hidden}` is repeated for each such path.
   */
  readonly command?: readonly string[];
  /** Commands reach the network, this machine's own servers too. */
  readonly network?: boolean;
  /** Writable beside the workspace; absolute, or below it. A protected or a hidden path that is named here is neither. */
  readonly writable?: readonly string[];
  /** Further variables that commands get; a name may end in `*`. */
  readonly environment?: readonly string[];
  /** Contents of Bash rules: a command line of which every command matches one runs outside. */
  readonly excludedCommands?: readonly string[];
  /** False: what asks to run outside by `dangerouslyDisableSandbox` runs inside. */
  readonly allowUnsandboxedCommands?: boolean;
};

/** What one command is confined to. */
export type Confinement = {
  readonly launch: Launch;
  /** Absolute, of the supervisor, this command's alone while it runs. */
  readonly folder: string;
  readonly prelude: string;
  /** Who holds placeholders in the workspace. */
  readonly holder: string;
  readonly cwd: string;
  /** Folders that belong to the workspace, absolute. */
  readonly workspace: readonly string[];
  /** Where the session keeps the output of commands. */
  readonly outputFolder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
};

export type Confined = {
  readonly launch: Launch;
  /** What the command gets of the environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Where the prelude is found inside. */
  readonly prelude: string;
  /** Paths to tidy away should this process vanish, in this order. */
  readonly litter: readonly string[];
  /** The command is over: nothing of it stays in the workspace. */
  release(): void;
};

/** One way to hold commands back. */
export interface Sandbox {
  readonly kind: Exclude<SandboxMode, 'none'>;
  /** @throws ShellStartError where the workspace is not what it was */
  confine(confinement: Confinement): Confined;
}

/** What options of a sandbox say of leaving it. */
export function waysOutOf({
  excludedCommands = [],
  allowUnsandboxedCommands = true,
}: SandboxOptions): WaysOutOfSandbox {
  return { excludedCommands, allowUnsandboxedCommands };
}
