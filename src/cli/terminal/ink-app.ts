/** The only file that draws with Ink. */
import { Box, render, Text, useCursor, useStdout } from 'ink';
import { createElement } from 'react';

export type DrawnFrame = {
  readonly lines: readonly string[];
  readonly cursor: { readonly x: number; readonly y: number };
};

/** A live region at the bottom of a terminal. */
export interface LiveRegion {
  draw(frame: DrawnFrame): void;
  /** Write finished text above the region. */
  above(text: string): void;
  /** Erase the region. Drawing again shows it. */
  clear(): void;
  /** Erase the region and show the cursor. */
  close(): void;
}

type Write = (text: string) => void;

/** @param stream its height is not read: a region never gets higher than the caller allows */
export function openLiveRegion(stream: NodeJS.WriteStream, first: DrawnFrame): LiveRegion {
  let write: Write = () => {};
  const keep = (own: Write): void => void (write = own);
  const options = {
    stdout: stream,
    exitOnCtrlC: false,
    patchConsole: false,
    maxFps: 1_000, // the caller draws seldom enough
  };
  const app = render(createElement(App, { frame: first, keep }), options);
  return {
    draw: (frame) => app.rerender(createElement(App, { frame, keep })),
    above: (text) => write(text),
    clear: app.clear,
    close() {
      app.clear();
      app.unmount();
    },
  };
}

function App({
  frame,
  keep,
}: {
  readonly frame: DrawnFrame;
  readonly keep: (write: Write) => void;
}) {
  const { write } = useStdout();
  const { setCursorPosition } = useCursor();
  keep(write);
  setCursorPosition(frame.cursor);
  return createElement(
    Box,
    { flexDirection: 'column' },
    frame.lines.map((line, index) =>
      createElement(Text, { key: index, wrap: 'truncate-end' }, line === '' ? ' ' : line),
    ),
  );
}
