import type { Environment } from '../../../api/types.js';

/**
 * Terminals tell keys without a control code, such as Shift-Enter, in one of two forms, if they are asked to or set up so:
 * `ESC [ code ; modifiers u` (kitty) and `ESC [ 27 ; modifiers ; code ~` (xterm).
 */
const KEY_CODES = { on: '\u001b[>1u', off: '\u001b[<u' } as const;

/** Terminals that tell keys in the form of kitty when they are asked to. */
const TELLING = /kitty|ghostty|wezterm|iterm|foot|alacritty/i;

/** The codes that ask a terminal for such sequences, and that end them; empty for a terminal that may not know them. */
export function keyCodesOf({
  TERM = '',
  TERM_PROGRAM = '',
}: Environment): Readonly<Record<'on' | 'off', string>> {
  return TELLING.test(`${TERM} ${TERM_PROGRAM}`) ? KEY_CODES : { on: '', off: '' };
}

// eslint-disable-next-line no-control-regex -- that is how such a sequence begins
const TOLD = /\u001b\[(?:27;(\d+);(\d+)~|(\d+)(?::\d*)*(?:;(\d+)(?::\d+)?)?(?:;[\d:]*)?u)/g;
const [SHIFT, ALT, CTRL, LOCKS] = [1, 2, 4, 8];
const [ESCAPE, ENTER, BACKSPACE] = ['\u001b', '\r', '\u007f'];
/** Keys of a control code each. The others have none with a modifier. */
const NAMED: Readonly<Record<number, string>> = { 9: '\t', 13: ENTER, 27: ESCAPE, 127: BACKSPACE };

/** Replace such sequences by the codes that every terminal sends. Enter with a modifier is Alt-Enter, which begins another line. */
export function toPlainCodes(text: string): string {
  return text.includes('\u001b[')
    ? text.replace(TOLD, (_, xterm, xtermCode, code, kitty) =>
        plainCode(Number(xtermCode ?? code), (Number(xterm ?? kitty ?? 1) - 1) % LOCKS),
      )
    : text;
}

function plainCode(code: number, modifiers: number): string {
  const has = (modifier: number): boolean => (modifiers & modifier) !== 0;
  if (code === 13 && modifiers !== 0) return ESCAPE + ENTER;
  if (code === 9 && has(SHIFT)) return `${ESCAPE}[Z`;
  const alt = has(ALT) ? ESCAPE : '';
  const named = NAMED[code];
  if (named !== undefined) return alt + named;
  if (code < 32 || code > 0x10_ff_ff || (code >= 0xe0_00 && code <= 0xf8_ff)) return ''; // a key without text
  const key = String.fromCodePoint(code);
  if (!has(CTRL)) return alt + (has(SHIFT) ? key.toUpperCase() : key);
  return alt + (CONTROLS.test(key) ? String.fromCodePoint(code & 31) : '');
}

/** Characters that have a control code. */
const CONTROLS = /[@-_a-z]/;
