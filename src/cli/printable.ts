/** Text for a terminal: control and direction characters, which could hide or forge what is shown, are spelled out. */
export function printable(text: string): string {
  return text.replace(UNSAFE, spellOut);
}

function spellOut(char: string): string {
  return `\\u${(char.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;
}

/** The same on one line, cut to `width` characters. */
export function oneLine(text: string, width: number): string {
  const line = printable(text.trim().replace(/\s+/g, ' '));
  const characters = [...line];
  return characters.length <= width ? line : `${characters.slice(0, width - 1).join('')}…`;
}

const UNSAFE = /(?![\n\t])[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** What an agent is called: the readable part of its id. */
export function agentLabel(agentId: string): string {
  return /^a(.+)-[0-9a-f]{16}$/.exec(agentId)?.[1] ?? agentId;
}

const SHOWN_FIELDS = ['command', 'file_path', 'path', 'url', 'pattern', 'description', 'prompt'];

/** What a tool is used on, whole: the command, the file, or the input as JSON. */
export function inputSubject(input: unknown): string {
  if (typeof input !== 'object' || input === null) return String(input);
  const record = input as Readonly<Record<string, unknown>>; // an object
  for (const field of SHOWN_FIELDS) {
    const value = record[field];
    if (typeof value === 'string') return value;
  }
  return JSON.stringify(input);
}
