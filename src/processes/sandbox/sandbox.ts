import type { WaysOutOfSandbox } from '../../permissions/shell/excluded-command.js';
import type { Launch } from '../start/containment.js';
import type { Environment } from '../../files/folders.js';

/** The launchers that restrict commands. With `none` only rules and modes decide. */
export const SANDBOX_MODES = ['none', 'bwrap', 'external'] as const;
export type SandboxMode = (typeof SANDBOX_MODES)[number];

/** Sandbox of shell commands, in addition to rules. */
export type SandboxOptions = {
  /** Launcher of shell commands: `bwrap`, an `external` one, or `none` for no sandbox. */
  readonly mode: SandboxMode;
  /**
   * Words before the shell, for the mode `external`. `{cwd}` and `{network}` (`yes` or `no`) are filled in; a word with
   * `{writable}`, `{readOnly}` or `{hidden}` is repeated for each such path.
   */
  readonly command?: readonly string[];
  /** Commands reach the network, also the servers of this machine. */
  readonly network?: boolean;
  /**
   * Writable in addition to the workspace; absolute, or below it. A protected or a hidden path that is named here is
   * neither.
   */
  readonly writable?: readonly string[];
  /** Further variables that commands get; a name may end in `*`. */
  readonly environment?: readonly string[];
  /** Contents of Bash rules: a command line of which every command matches one runs outside. */
  readonly excludedCommands?: readonly string[];
  /** False: commands with `dangerouslyDisableSandbox` run inside, too. */
  readonly allowUnsandboxedCommands?: boolean;
};

/** The restrictions of one command. */
export type Confinement = {
  readonly launch: Launch;
  /** Absolute path of a folder of the supervisor; only this command uses it while it runs. */
  readonly folder: string;
  readonly prelude: string;
  /** Identifies the process that holds placeholders in the workspace. */
  readonly holder: string;
  readonly cwd: string;
  /** Folders that belong to the workspace, absolute. */
  readonly workspace: readonly string[];
  /** A folder outside the workspace that the command may read even if the sandbox hides the place that it is in. */
  readonly readable?: string;
  /** Folder with the output files of the session's commands. */
  readonly outputFolder?: string;
  readonly env: Environment;
};

export type Confined = {
  readonly launch: Launch;
  /** Environment of the command. */
  readonly env: Readonly<Record<string, string>>;
  /** Path of the prelude inside the sandbox. */
  readonly prelude: string;
  /** Paths to remove if this process vanishes, in this order. */
  readonly litter: readonly string[];
  /** The command has ended: remove everything of it from the workspace. */
  release(): void;
};

/** A kind of sandbox. */
export interface Sandbox {
  readonly kind: Exclude<SandboxMode, 'none'>;
  /** @throws ShellStartError if a folder of the workspace has changed */
  confine(confinement: Confinement): Confined;
}

/** The active sandbox of a session, as its tools see it. */
export type ActiveSandbox = WaysOutOfSandbox & {
  /** Launcher of shell commands. */
  readonly kind: SandboxMode;
  /** Whether commands reach the network. */
  readonly network: boolean;
  /** Writable paths beside the workspace, as the options name them. */
  readonly writable: readonly string[];
};

/** The sandbox that options describe, with the default of each absent option. */
export function activeSandbox({
  mode,
  network = false,
  writable = [],
  excludedCommands = [],
  allowUnsandboxedCommands = true,
}: SandboxOptions): ActiveSandbox {
  return { kind: mode, network, writable, excludedCommands, allowUnsandboxedCommands };
}
