import type { ReactNode } from 'react';
import type { Screen } from '../screen/screen.js';

/** Gives the terminal to another program, and takes it back. */
export interface Loan {
  readonly isAway: boolean;
  /** Ctrl-Z: the shell has the terminal until the process continues. */
  suspend(): void;
  /** Ink has the terminal until `ended` resolves or the person presses Ctrl-C. */
  draw(node: unknown, ended: Promise<unknown>): Promise<void>;
  /** @returns a function that opens a text in an editor and resolves with the edited text */
  openEditor(command: string): (text: string, name: string) => Promise<string>;
}

const HOUR_MS = 3_600_000;

export function createLoan(
  screen: Pick<Screen, 'start' | 'stop'>,
  keys: { take(): void; listen(): void; giveBack(): void; isClosed(): boolean },
): Loan {
  let isAway = false;
  const leave = (): void => {
    isAway = true;
    screen.stop();
    keys.giveBack();
  };
  const comeBack = (): void => {
    isAway = false;
    if (keys.isClosed()) return;
    keys.take();
    keys.listen();
    screen.start();
  };
  return {
    get isAway() {
      return isAway;
    },
    suspend() {
      leave();
      const alive = setInterval(() => {}, HOUR_MS); // a listener to a signal does not keep the process alive
      process.once('SIGCONT', () => {
        clearInterval(alive);
        comeBack();
      });
      process.kill(process.pid, 'SIGTSTP');
    },
    async draw(node, ended) {
      const { drawNode } = await import('./draw-node.js');
      leave();
      try {
        await drawNode(node as ReactNode, ended); // Ink refuses everything else
      } finally {
        comeBack();
      }
    },
    openEditor: (command) => async (text, name) => {
      const { editText } = await import('./external-editor.js');
      leave();
      try {
        return await editText(command, text, name);
      } finally {
        comeBack();
      }
    },
  };
}
