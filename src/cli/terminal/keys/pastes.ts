import { printable } from '../../../api/text.js';

/** The edited line shows a short name for each pasted text of several lines until it is sent. */
export interface Pastes {
  /** The text in the line for a pasted text. */
  put(text: string): string;
  /** The line with the pasted texts in place of their names. */
  expand(line: string): string;
  /** The same for a line that is drawn: a text that cannot be drawn unchanged keeps its name. */
  recall(line: string): string;
}

export function createPastes(): Pastes {
  const texts = new Map<string, string>();
  return {
    put(text) {
      if (!text.includes('\n')) return withoutControls(text);
      const name = `[paste ${texts.size + 1}: ${text.replace(/\n$/, '').split('\n').length} lines]`;
      texts.set(name, text);
      return name;
    },
    expand: (line) => line.replace(NAME, (name) => texts.get(name) ?? name),
    recall: (line) =>
      line.replace(NAME, (name) => {
        const text = texts.get(name) ?? name;
        return printable(text) === text ? text : name;
      }),
  };
}

/** Remove C1 controls and direction characters from typed text: no key sends them. */
export function withoutForgery(text: string): string {
  return text.replace(FORGERY, '');
}

function withoutControls(text: string): string {
  return withoutForgery(text.replace(CONTROL, ''));
}

const NAME = /\[paste \d+: \d+ lines\]/g;

/** Characters that move the cursor when they are drawn. */
const CONTROL = /(?!\t)\p{Cc}/gu;

/** Characters that could make a drawn line look like another one. */
const FORGERY = /[\u0080-\u009f\u202a-\u202e\u2066-\u2069]/gu;
