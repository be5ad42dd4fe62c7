/** The only file that uses Ink. */
import { Box, renderToString, Text } from 'ink';
import { createElement } from 'react';

/** The lines as Ink lays them out. */
export function layOut(lines: readonly string[], columns: number): string {
  const texts = lines.map((line, index) =>
    createElement(Text, { key: index, wrap: 'truncate-end' }, line === '' ? ' ' : line),
  );
  return renderToString(createElement(Box, { flexDirection: 'column' }, texts), { columns });
}
