import type { Command } from '../arguments/command.js';
import { bashScript } from '../completion/bash.js';
import { fishScript } from '../completion/fish.js';
import { zshScript } from '../completion/zsh.js';
import { printLines } from './print.js';

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

/** `troupe completion`: prints the script of a shell. @returns the exit code */
export async function printCompletion({
  shell,
}: Extract<Command, { type: 'completion' }>): Promise<number> {
  await printLines([SCRIPTS[shell]()]);
  return 0;
}
