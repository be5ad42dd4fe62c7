/** Pasted texts of several lines stand in the line as a short name until the line is sent. */
export interface Pastes {
  /** What is put into the line for a pasted text. */
  put(text: string): string;
  /** The line with the texts in the places of their names. */
  expand(line: string): string;
}

export function createPastes(): Pastes {
  const texts = new Map<string, string>();
  return {
    put(text) {
      if (!text.includes('\n')) return text.replace(CONTROL, '');
      const name = `[paste ${texts.size + 1}: ${text.replace(/\n$/, '').split('\n').length} lines]`;
      texts.set(name, text);
      return name;
    },
    expand: (line) => line.replace(/\[paste \d+: \d+ lines\]/g, (name) => texts.get(name) ?? name),
  };
}

/** What would move the cursor when it is drawn. */
const CONTROL = /(?!\t)\p{Cc}/gu;
