const LETTERS: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  e: '\x1b',
  E: '\x1b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  "'": "'",
  '"': '"',
  '?': '?',
};

const ESCAPE =
  /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|([0-7]{1,3})|c(.)|(.))/gs;

/** Decode the text between `$'` and `'` as bash does: it ends at a NUL. */
export function decodeAnsiC(text: string): string {
  const [decoded = ''] = decodeEscapes(text).split('\0', 1);
  return decoded;
}

function decodeEscapes(text: string): string {
  return text.replace(
    ESCAPE,
    (
      whole,
      hex?: string,
      u4?: string,
      u8?: string,
      octal?: string,
      control?: string,
      letter?: string,
    ) => {
      const digits = hex ?? u4 ?? u8;
      if (digits !== undefined) return fromCode(Number.parseInt(digits, 16));
      if (octal !== undefined) return fromCode(Number.parseInt(octal, 8) & 0xff);
      if (control !== undefined) return fromCode(control.charCodeAt(0) & 0x1f);
      return LETTERS[letter ?? ''] ?? whole;
    },
  );
}

const ANSI_C = /\$'((?:[^'\\]|\\[^])*)'/g;

/** Text without its quotes and backslashes. */
export function unquoted(text: string): string {
  return text.replace(ANSI_C, (_, inner: string) => decodeAnsiC(inner)).replace(/\$?["']|\\/g, '');
}

/** Whether the text means the same in every shell and locale: escapes of one character, printable ASCII. */
export function isPlainAnsiC(text: string): boolean {
  return /^(?:[^\\]|\\(?:[abefnrtv\\'"]|x(?:[2-6][0-9a-fA-F]|7[0-9a-eA-E])(?![0-9a-fA-F])))*$/.test(
    text,
  );
}

function fromCode(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : '';
}
