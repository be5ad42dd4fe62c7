/** A part of the text of a skill. */
export type SkillPart =
  | { readonly kind: 'text'; readonly text: string }
  /** A command whose output takes its place. */
  | { readonly kind: 'command'; readonly command: string };

const OPENING = /^[ \t]*```![ \t]*$/;
const FENCE = /^[ \t]*(?:```|~~~)/;
const CLOSING = /^[ \t]*```[ \t]*$/;
/** A command at the start of a word. */
const INLINE = /(?<=^|\s)!`([^`]+)`/g;

/** Split the text of a skill into texts and commands: `` !`command` ``, and blocks that begin with ```` ```! ````. */
export function splitText(text: string): readonly SkillPart[] {
  const lines = text.split('\n');
  const lastClosing = lines.findLastIndex((line) => CLOSING.test(line));
  const parts: SkillPart[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] as string; // below the length
    const isLast = at === lines.length - 1;
    if (OPENING.test(line) && at < lastClosing) {
      const end = lines.findIndex((one, index) => index > at && CLOSING.test(one));
      parts.push({ kind: 'command', command: lines.slice(at + 1, end).join('\n') });
      at = end;
      if (end < lines.length - 1) parts.push({ kind: 'text', text: '\n' });
    } else parts.push(...splitLine(isLast ? line : `${line}\n`));
  }
  return joinTexts(parts);
}

function splitLine(line: string): readonly SkillPart[] {
  const parts: SkillPart[] = [];
  let from = 0;
  for (const { 0: source, 1: command = '', index } of line.matchAll(INLINE)) {
    parts.push({ kind: 'text', text: line.slice(from, index) }, { kind: 'command', command });
    from = index + source.length;
  }
  return [...parts, { kind: 'text', text: line.slice(from) }];
}

function joinTexts(parts: readonly SkillPart[]): readonly SkillPart[] {
  const joined: SkillPart[] = [];
  let texts: string[] = [];
  const flush = (): void => {
    const text = texts.join('');
    if (text !== '') joined.push({ kind: 'text', text });
    texts = [];
  };
  for (const part of parts) {
    if (part.kind === 'text') texts.push(part.text);
    else {
      flush();
      joined.push(part);
    }
  }
  flush();
  return joined;
}

/** Find the files that a text names as `@path`, each once. Code and addresses of mail are ignored. */
export function findMentions(text: string): readonly string[] {
  let isCode = false;
  const found = text.split('\n').flatMap((line) => {
    const wasCode = isCode;
    if (FENCE.test(line)) isCode = !isCode;
    if (wasCode || isCode) return [];
    const mentions = line
      .replace(/`[^`]*`/g, '')
      .matchAll(/(?<=^|[\s(])@(?:"([^"]+)"|([^\s"'()]+))/g);
    return [...mentions].map(([, quoted, plain = '']) => quoted ?? plain.replace(/[.,;:!?]+$/, ''));
  });
  return [...new Set(found.filter((path) => path !== ''))];
}
