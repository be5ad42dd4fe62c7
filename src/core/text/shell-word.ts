/** One word of a shell, in quotes if it needs them. */
export function shellWord(text: string): string {
  return /^[\w./@%+=:,-]+$/.test(text) ? text : quoted(text);
}

/** One word of a shell, in quotes. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
