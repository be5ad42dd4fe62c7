import { StringDecoder } from 'node:string_decoder';

/** The parts of a terminal's input: keys for the line editor, pasted text, and the key that the editor must not see. */
export type KeyInput =
  | { readonly type: 'keys'; readonly text: string }
  | { readonly type: 'paste'; readonly text: string }
  | { readonly type: 'background' };

export const BRACKETED_PASTE = { on: '\u001b[?2004h', off: '\u001b[?2004l' } as const;

const PASTE_BEGINS = '\u001b[200~';
const PASTE_ENDS = '\u001b[201~';
const CTRL_B = '\u0002';

/** Read a terminal in raw mode, chunk by chunk. A paste may arrive in many chunks, and a mark in two. */
export function createKeyFilter(): (chunk: Uint8Array) => readonly KeyInput[] {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  let pasted: string | undefined;

  return (chunk) => {
    rest += decoder.write(Buffer.from(chunk));
    const inputs: KeyInput[] = [];
    const keys = (text: string): void => {
      for (const [index, part] of text.split(CTRL_B).entries()) {
        if (index > 0) inputs.push({ type: 'background' });
        if (part !== '') inputs.push({ type: 'keys', text: part });
      }
    };
    for (;;) {
      const mark: string = pasted === undefined ? PASTE_BEGINS : PASTE_ENDS;
      const at = rest.indexOf(mark);
      if (at === -1) {
        // an Escape alone is a key, except in a paste
        const held = cutMark(rest, mark, pasted === undefined ? 2 : 1);
        const text = rest.slice(0, rest.length - held);
        if (pasted === undefined) keys(text);
        else pasted += text;
        rest = rest.slice(text.length);
        return inputs;
      }
      const text = rest.slice(0, at);
      rest = rest.slice(at + mark.length);
      if (pasted === undefined) {
        keys(text);
        pasted = '';
      } else {
        inputs.push({ type: 'paste', text: (pasted + text).replace(/\r\n?/g, '\n') });
        pasted = undefined;
      }
    }
  };
}

/** Read lines of a terminal in line mode, without the marks of pasted text. */
export function createPasteReader(): (line: string) => {
  readonly text: string;
  readonly isPasted: boolean;
} {
  let isWithin = false;
  return (line) => {
    const isPasted = isWithin || line.includes(PASTE_BEGINS);
    const [begun, ended] = [PASTE_BEGINS, PASTE_ENDS].map((mark) => line.lastIndexOf(mark));
    if (begun !== ended) isWithin = (begun ?? -1) > (ended ?? -1);
    return { text: line.replaceAll(PASTE_BEGINS, '').replaceAll(PASTE_ENDS, ''), isPasted };
  };
}

/** The number of characters at the end of a text that may begin a mark. */
function cutMark(text: string, mark: string, least: number): number {
  for (let length = mark.length - 1; length >= least; length -= 1)
    if (text.endsWith(mark.slice(0, length))) return length;
  return 0;
}
