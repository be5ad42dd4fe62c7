import { createCodeFence } from './code-fence.js';

/** The paths that a text imports as `@path`, in order, each once; code and comments are ignored. */
export function parseImports(text: string): readonly string[] {
  const found = [...withoutCode(text).matchAll(/(?:^|[\s(])@([^\s@#()`<>]+)/g)];
  const paths = found.map(([, path = '']) => path.replace(/[.,;:!?'"*]+$/, ''));
  return [...new Set(paths.filter((path) => /[0-9A-Za-z]/.test(path)))];
}

function withoutCode(text: string): string {
  const code = createCodeFence();
  const lines = text.split('\n').map((line) => (code.read(line) ? '' : line));
  return lines
    .join('\n')
    .split(/\n[ \t]*\n/) // a span ends with its paragraph
    .map((paragraph) => paragraph.replaceAll(/(?<!`)(`+)(?!`)[^]*?(?<!`)\1(?!`)/g, ' '))
    .join('\n\n')
    .replaceAll(/<!--[^]*?-->/g, ' ');
}
