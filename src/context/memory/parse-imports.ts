/** The paths that a text imports as `@path`, in order, each once; code and comments are ignored. */
export function parseImports(text: string): readonly string[] {
  const found = [...withoutCode(text).matchAll(/(?:^|[\s(])@([^\s@#()`<>]+)/g)];
  const paths = found.map(([, path = '']) => path.replace(/[.,;:!?'"*]+$/, ''));
  return [...new Set(paths.filter((path) => /[0-9A-Za-z]/.test(path)))];
}

function withoutCode(text: string): string {
  const lines: string[] = [];
  let fence: string | undefined;
  for (const line of text.split('\n')) {
    const mark = /^[\s>]*(`{3,}|~{3,})(.*)$/.exec(line);
    const [, marks = '', rest = ''] = mark ?? [];
    if (fence !== undefined) {
      const closes = marks.startsWith(fence) && rest.trim() === '';
      if (closes) fence = undefined;
      lines.push('');
    } else if (mark !== null && !(marks.startsWith('`') && rest.includes('`'))) {
      fence = marks;
      lines.push('');
    } else lines.push(line);
  }
  return lines
    .join('\n')
    .split(/\n[ \t]*\n/) // a span ends with its paragraph
    .map((paragraph) => paragraph.replaceAll(/(?<!`)(`+)(?!`)[^]*?(?<!`)\1(?!`)/g, ' '))
    .join('\n\n')
    .replaceAll(/<!--[^]*?-->/g, ' ');
}
