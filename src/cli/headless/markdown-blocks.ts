/** Pieces of Markdown for any text. */

/** Put a text into a fence that is longer than any in the text, so that the text cannot end it. */
export function fenced(text: string, language = ''): string {
  const runs = text.match(/`+/g) ?? [];
  const longest = runs.reduce((most, run) => Math.max(most, run.length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}${text.endsWith('\n') ? '' : '\n'}${fence}`;
}

/** A name or a path in a line. */
export function inlineCode(name: string): string {
  const text = name.replace(/\s*\n\s*/g, ' ');
  const runs = text.match(/`+/g) ?? [];
  const mark = '`'.repeat(runs.reduce((most, run) => Math.max(most, run.length), 0) + 1);
  const pad = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  return `${mark}${pad}${text}${pad}${mark}`;
}

/** Escape words in a line, so that nothing in them is Markdown. */
export function plain(text: string): string {
  return text.replace(/\s+/g, ' ').replaceAll(/[\\`*_{}[\]<>#|~]/g, String.raw`\$&`);
}

/** Indent a text by `depth`, as quotes of quotes. */
export function quoted(text: string, depth: number): string {
  if (depth === 0) return text;
  const mark = '>'.repeat(depth);
  return text
    .split('\n')
    .map((line) => (line === '' ? mark : `${mark} ${line}`))
    .join('\n');
}

/** The beginning of a long text, and how much is missing. */
export function shortened(text: string, limits: { lines: number; characters: number }): string {
  const lines = text.split('\n');
  const few = lines.slice(0, limits.lines).join('\n');
  const short = [...few].slice(0, limits.characters).join('');
  const left = text.length - short.length;
  return left === 0 ? text : `${short}\n… (${left} more characters)`;
}
