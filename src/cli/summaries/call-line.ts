import { oneLine } from '../../api/text.js';
import { inputSubject } from './tool-subject.js';

/** Most characters of the name of a tool. */
const NAME_WIDTH = 60;

/** A tool call on one line: `Bash: npm test`; the name alone if its input is empty. */
export function callLine(name: string, input: unknown, width: number): string {
  const subject = oneLine(inputSubject(input), width);
  return `${oneLine(name, NAME_WIDTH)}${subject === '' ? '' : `: ${subject}`}`;
}
