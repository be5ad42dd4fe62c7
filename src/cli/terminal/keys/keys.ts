import { emitKeypressEvents, type Key as NodeKey } from 'node:readline';
import { Readable } from 'node:stream';
import { createKeyFilter } from './key-filter.js';
import { withoutForgery } from './pastes.js';
import { toPlainCodes } from './plain-codes.js';

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

/** Alone it begins another line. Behind other text it is the Enter of a line that was typed before the terminal was in raw mode. */
const CTRL_J = '\n';
const ALT_ENTER = '\u001b\r';

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
      const typed = toPlainCodes(withoutForgery(input.text));
      stream.emit('data', Buffer.from(typed === CTRL_J ? ALT_ENTER : typed));
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
  if (typed === UNDERSCORE) return { ...NO_KEY, name: '_', ctrl: true };
  const name = given === 'enter' ? 'return' : given; // typed before the terminal was in raw mode
  const isText = typed !== undefined && !ctrl && !meta && !CONTROL.test(typed);
  const isEscape = name === 'escape'; // node counts it as its own modifier
  return { name, text: isText ? typed : '', ctrl, meta: meta && !isEscape, shift };
}

/** Ctrl-_, which Node gives no name. */
const UNDERSCORE = '\u001f';
const CONTROL = /\p{Cc}/u;
