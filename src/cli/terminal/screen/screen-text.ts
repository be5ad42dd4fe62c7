/** The text of a session on the screen: running tool calls, finished lines, and the text that arrives. */
import type { TextWidth } from '../../output/text-width.js';
import { plainLine, type Line } from '../lines/line.js';
import type { highlightCode } from '../lines/highlight-code.js';
import type { markdownLines } from '../lines/markdown-lines.js';
import type { LiveCall } from './screen-state.js';
import type { Screen } from './screen.js';
import { createStreamText } from './stream-text.js';
import type { TerminalCalls, TerminalLines } from './terminal.js';

/** The tool calls that run. */
export function callsOf(screen: Screen): TerminalCalls {
  const change = (id: string, by: Partial<LiveCall>): void => {
    const { calls } = screen.state;
    screen.update({ calls: calls.map((call) => (call.id === id ? { ...call, ...by } : call)) });
  };
  return {
    begin(id, line) {
      const text = line.replace(/^\* /, ''); // a call that runs has the spinner in its place
      const call = { id, text, since: Date.now(), isWaiting: true };
      screen.update({ calls: [...screen.state.calls, call] });
    },
    run: (id) => change(id, { isWaiting: false, since: Date.now() }),
    progress: (id, progress) => change(id, { progress, isWaiting: false }),
    end(id) {
      const { calls } = screen.state;
      const ended = calls.find((call) => call.id === id);
      if (ended === undefined) return;
      screen.add([endedCall(ended.text)]);
      screen.update({ calls: calls.filter((call) => call !== ended) });
    },
  };
}

/** The line of a call that has ended: its tool stands out. */
function endedCall(text: string): Line {
  const end = Math.max(0, text.indexOf(':'));
  return [
    { text: '* ', style: 'accent' },
    { text: text.slice(0, end), style: 'strong' },
    { text: text.slice(end) },
  ];
}

/** The finished lines, and the text that arrives. */
export function textOf(
  screen: Screen,
  measure: TextWidth & { load(): Promise<void> },
  size: () => { readonly columns: number; readonly rows: number },
  hasColours: boolean,
): Pick<TerminalLines, 'write' | 'endLine' | 'print' | 'echo'> & { loadMarkdown(): void } {
  const stream = createStreamText();
  let markdown: typeof markdownLines | undefined;
  let highlight: typeof highlightCode | undefined;
  let isLoading = { markdown: false, colours: false };
  const loadColours = async (): Promise<void> => {
    ({ highlightCode: highlight } = await import('../lines/highlight-code.js'));
  };
  const readMarkdown = async (): Promise<void> => {
    const [{ markdownLines }] = await Promise.all([
      import('../lines/markdown-lines.js'),
      measure.load(),
    ]);
    markdown = markdownLines;
  };
  const loadMarkdown = (): void => {
    if (isLoading.markdown) return;
    isLoading = { ...isLoading, markdown: true };
    screen.holdUntil(readMarkdown());
  };
  const laidOut = (text: string): readonly Line[] =>
    markdown?.(text, { width: size().columns, measure, highlight }) ??
    text.split('\n').map((line) => plainLine(line));
  const endLine = (): void => {
    const text = stream.takeAll();
    if (text.trim() !== '') screen.add(() => laidOut(text.trimEnd()));
    screen.update({ tail: [] });
  };
  return {
    write(text) {
      loadMarkdown();
      stream.push(text);
      const done = stream.takeFinished();
      if (done !== '') screen.add(() => laidOut(done));
      // only the end of a long block can be seen
      const open = stream.open.slice(-size().columns * size().rows);
      screen.update({ tail: open === '' ? [] : open.split('\n').map((line) => plainLine(line)) });
    },
    loadMarkdown,
    endLine,
    print(text) {
      endLine();
      screen.add(
        typeof text === 'string'
          ? text.split('\n').map((line) => plainLine(line))
          : text.map((line) => [line]),
      );
    },
    echo(text) {
      endLine();
      const [first = '', ...rest] = text.split('\n');
      screen.add([
        [],
        plainLine(`> ${first}`, 'strong'),
        ...rest.map((line) => plainLine(`  ${line}`, 'strong')),
      ]);
      loadMarkdown(); // an answer follows
      if (!hasColours || isLoading.colours) return;
      isLoading = { ...isLoading, colours: true };
      screen.holdUntil(loadColours()); // the answer may have code
    },
  };
}
