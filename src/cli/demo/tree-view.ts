import { printableLine } from '../../api/text.js';
import { hangLine } from '../output/hang-line.js';
import { TERMINAL_CODES, type ViewOutput } from '../output/output-writer.js';
import type { AgentRow } from './agent-rows.js';
import { toRowText } from './agent-rows.js';

/** Shows a tree of agents while they work. */
export interface TreeView {
  update(rows: readonly AgentRow[]): void;
  /** Print a line above the tree. */
  tell(line: string): void;
  close(): void;
}

/** Show the tree: on a terminal it is drawn again in place; elsewhere each change is a plain line. */
export function createTreeView(
  output: ViewOutput,
  { isPlain, elapsedMs }: { isPlain: boolean; elapsedMs: () => number },
): TreeView {
  return isPlain ? createPlainView(output, elapsedMs) : createDrawnView(output, elapsedMs);
}

function createDrawnView(output: ViewOutput, elapsedMs: () => number): TreeView {
  let drawn: readonly string[] = [];
  const draw = (lines: readonly string[], before = ''): void => {
    const text = lines.map((line) => `${line}\n`).join('');
    void output.control(TERMINAL_CODES.eraseLines(drawn.length));
    void output.write(`${before}${text}`);
    drawn = lines;
  };
  return {
    update(rows) {
      const width = (output.columns ?? 100) - 1;
      const lines = rows.map((row) => toRowText(row, width));
      if (lines.join('\n') !== drawn.join('\n')) draw(lines);
    },
    tell(line) {
      const width = output.columns ?? 100;
      const text = printableLine(`${stamp(elapsedMs())}  ${line}`);
      draw(drawn, `${hangLine(text, { width, of: widthOf, indent: STAMP_WIDTH })}\n`);
    },
    close: () => draw([]),
  };
}

function createPlainView(output: ViewOutput, elapsedMs: () => number): TreeView {
  const known = new Map<string, string>();
  let wasTreeShown = false;
  const tell = (line: string): void => void output.line(`${stamp(elapsedMs())}  ${line}`);
  return {
    tell,
    update(rows) {
      for (const { id, label, state, activity } of rows) {
        const text = `${label.padEnd(12)} ${state.split('.')[0]?.padEnd(11)} ${activity}`.trimEnd();
        if (activity === '' || known.get(id) === text) continue;
        known.set(id, text);
        tell(text);
      }
      const busy = rows.filter((row) => row.isRunningShell).length;
      if (wasTreeShown || busy < 3) return;
      wasTreeShown = true;
      tell(`${busy} commands run at this instant:`);
      for (const row of rows) void output.line(`          ${toRowText(row, 90)}`);
    },
    close: () => {},
  };
}

const STAMP_WIDTH = 10;

function widthOf(text: string): number {
  return [...text].length;
}

function stamp(ms: number): string {
  return `+${(ms / 1000).toFixed(2)} s`.padEnd(STAMP_WIDTH - 2);
}
