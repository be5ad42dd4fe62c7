import type { Environment } from '../api/types.js';
import type { CommandLine } from './arguments/command-line.js';

/** The folder that a command works in, and its environment. */
export type Folder = { readonly cwd: string; readonly env: Environment };

/** The surroundings of a command. */
export type World = Folder & { readonly isRoot: boolean };

/** The function `run` of a command's module: do what words and flags say, and resolve with the exit code. */
export type RunCommand = (line: CommandLine, world: World) => Promise<number>;
