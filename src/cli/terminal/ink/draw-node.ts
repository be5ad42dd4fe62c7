/** Lets Ink draw a node of React, with the keys of the terminal. */
import { setImmediate } from 'node:timers/promises';
import { render, useInput } from 'ink';
import { createElement, type ReactNode } from 'react';

/** Draw a node until `ended` resolves or the person presses Ctrl-C, and erase it. */
export async function drawNode(node: ReactNode, ended: Promise<unknown>): Promise<void> {
  await setImmediate(); // a pause of stdin takes effect on the next tick, and would stop the reading of Ink
  const leave = (): void => {
    app.clear();
    app.unmount();
  };
  const app = render(createElement(Held, { leave }, node), {
    exitOnCtrlC: false, // it would not erase the node
    patchConsole: false,
  });
  void ended.then(leave);
  await app.waitUntilExit();
  process.stdin.ref(); // Ink has taken the reference with it
}

/** Hold the keys, also if the node reads none: Ctrl-C leaves it. */
function Held({ leave, children }: { leave: () => void; children?: ReactNode }): ReactNode {
  useInput((text, key) => {
    if (key.ctrl && text === 'c') leave();
  });
  return children;
}
