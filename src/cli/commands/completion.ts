import type { RunCommand } from '../command.js';
import { bashScript } from '../completion/bash.js';
import { fishScript } from '../completion/fish.js';
import { zshScript } from '../completion/zsh.js';
import { printLines } from '../output/print.js';

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

/** `troupe completion`: print the script of a shell. @returns the exit code */
export const run: RunCommand = async ({ words: [shell] }) => {
  await printLines([SCRIPTS[shell as keyof typeof SCRIPTS]()]); // the registry lets no other word pass
  return 0;
};
