import { emitKeypressEvents, type Key as NodeKey } from 'node:readline';
import { Readable } from 'node:stream';
import { createKeyFilter } from './key-filter.js';
import { withoutForgery } from './pastes.js';

/** A key, or a pasted text. */
export type Key = {
  /** Such as `return`, `left`, `a`; `paste` for a pasted text; empty for a character without a name. */
  readonly name: string;
  /** The typed or pasted text; empty for a key that types nothing. */
  readonly text: string;
  readonly ctrl: boolean;
  readonly meta: boolean;
  readonly shift: boolean;
  /** Whether a line ended within the same chunk: an older terminal does not mark pastes. */
  readonly isBurst: boolean;
};

/** After an Escape so many ms may pass before the rest of its sequence. */
const ESCAPE_MS = 40;

/** Several lines in one chunk of a terminal. */
const HOLDS_LINES = /[\r\n](?=[^])/;

/** Read the keys of a terminal in raw mode, chunk by chunk. */
export function createKeyReader(onKey: (key: Key) => void): (chunk: Uint8Array) => void {
  const filter = createKeyFilter();
  const stream = new Readable({ read() {} });
  let isBurst = false;
  stream.on('keypress', (typed: string | undefined, key: NodeKey) =>
    onKey({ ...keyOf(typed, key), isBurst }),
  );
  // the type asks for a whole interface; only the time is read
  emitKeypressEvents(stream, { escapeCodeTimeout: ESCAPE_MS } as never);
  return (chunk) => {
    for (const input of filter(chunk)) {
      if (input.type === 'background') {
        onKey({ ...NO_KEY, name: 'b', ctrl: true });
        continue;
      }
      if (input.type === 'paste') {
        onKey({ ...NO_KEY, name: 'paste', text: withoutForgery(input.text) });
        continue;
      }
      isBurst = HOLDS_LINES.test(input.text);
      stream.emit('data', Buffer.from(withoutForgery(input.text)));
    }
  };
}

export const NO_KEY: Key = {
  name: '',
  text: '',
  ctrl: false,
  meta: false,
  shift: false,
  isBurst: false,
};

/** The name of a key, and the text that it types. */
function keyOf(
  typed: string | undefined,
  { name: given = '', ctrl = false, meta = false, shift = false }: NodeKey,
): Omit<Key, 'isBurst'> {
  const name = given === 'enter' ? 'return' : given; // typed before the terminal was in raw mode
  const isText = typed !== undefined && !ctrl && !meta && !CONTROL.test(typed);
  const isEscape = name === 'escape'; // node counts it as its own modifier
  return { name, text: isText ? typed : '', ctrl, meta: meta && !isEscape, shift };
}

const CONTROL = /\p{Cc}/u;
