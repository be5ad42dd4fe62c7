import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

const PARTS = ['build', 'inside', 'reference', 'reference/tools', 'start', 'use'];

/** Every page that users and contributors read, from the root. */
export function pages(): readonly string[] {
  const isPage = (name: string): boolean => name.endsWith('.md');
  return ['.', 'docs', ...PARTS.map((part) => `docs/${part}`), 'examples'].flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter(isPage)
      .map((name) => join(folder, name)),
  );
}

export function readText(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

/** The texts of all code blocks of a language. */
export function blocks(page: string, language: string): readonly string[] {
  const found = readText(page).matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'));
  return [...found].map(([, text = '']) => text);
}

/** The text of the first code block of a language. */
export function firstBlock(page: string, language: string): string {
  const [block] = blocks(page, language);
  if (block === undefined) throw new Error(`${page} has no block of ${language}.`);
  return block;
}

/**
 * The names in backticks of the list or the table after the line that begins with these words: of a table those in its first
 * column, of a list those after the reason in bold.
 */
export function listedNames(page: string, start: string): readonly string[] {
  const [, after = ''] = page.split(`\n${start}`);
  const [, list = ''] = after.split('\n\n');
  const entries = list.split(/\n(?=[|-] )/).map((entry) => {
    const [, cell = ''] = entry.split('|');
    return entry.startsWith('|') ? cell : entry.replace(/^- \*\*.*?\*\*/s, '');
  });
  return entries.flatMap((entry) => [...entry.matchAll(/`(\w+)`/g)].map(([, name = '']) => name));
}
