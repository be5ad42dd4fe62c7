import { printable } from '../../api/text.js';

/** Pasted texts of several lines stand in the line as a short name until the line is sent. */
export interface Pastes {
  /** What is put into the line for a pasted text. */
  put(text: string): string;
  /** The line with the texts in the places of their names. */
  expand(line: string): string;
  /** The same for a line that is drawn: a text that could not be drawn as it is keeps its name. */
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

/** What is typed without C1 controls and direction characters: no key sends them. */
export function withoutForgery(text: string): string {
  return text.replace(FORGERY, '');
}

function withoutControls(text: string): string {
  return withoutForgery(text.replace(CONTROL, ''));
}

const NAME = /\[paste \d+: \d+ lines\]/g;

/** What would move the cursor when it is drawn. */
const CONTROL = /(?!\t)\p{Cc}/gu;

/** What could make a drawn line read as another one. */
const FORGERY = /[\u0080-\u009f\u202a-\u202e\u2066-\u2069]/gu;
