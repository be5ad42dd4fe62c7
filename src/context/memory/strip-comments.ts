import { createCodeFence } from './code-fence.js';

const START = /^ {0,3}<!--/;
const END = '-->';

/** Remove the HTML comments that begin a line: they are for people. Those in blocks of code, and one without an end, stay. */
export function stripComments(text: string): string {
  const lastEnd = text.lastIndexOf(END);
  const code = createCodeFence();
  const kept: string[] = [];
  const endOfLine = (from: number): number => (text.indexOf('\n', from) + 1 || text.length + 1) - 1;
  for (let at = 0; at <= text.length;) {
    const end = endOfLine(at);
    const line = text.slice(at, end);
    const [start = ''] = START.exec(line) ?? [];
    if (code.isOpen || start === '' || at + start.length > lastEnd) {
      code.read(line);
      kept.push(line);
      at = end + 1;
      continue;
    }
    const behind = text.indexOf(END, at + start.length) + END.length;
    const rest = text.slice(behind, endOfLine(behind));
    at = rest.trim() === '' ? behind + rest.length + 1 : behind;
  }
  return kept.join('\n');
}
