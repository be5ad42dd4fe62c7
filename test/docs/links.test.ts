import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pages, root } from './pages.js';

/** The links of a page that lead to a file or to a heading, outside of code. */
function linksOf(page: string): readonly string[] {
  const text = readFileSync(join(root, page), 'utf8').replaceAll(/^```.*?^```$/gms, '');
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link ?? '');
  return links.filter((link) => !/^[a-z]+:/.test(link));
}

/** The anchor of a heading in links. */
function anchorsOf(file: string): readonly string[] {
  const headings = readFileSync(file, 'utf8').matchAll(/^#+ (.+)$/gm);
  return [...headings].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** Files and folders of the source that a page names in code with their folder: `actors/mail/mailroom.ts`, `journal/`. */
function sourcesIn(page: string): readonly string[] {
  const text = readFileSync(join(root, page), 'utf8').replaceAll(/^```.*?^```$/gms, '');
  return [...text.matchAll(/`(?:src\/)?((?:[a-z-]+\/)+[a-z-]+\.ts)`/g)].map(
    ([, path = '']) => path,
  );
}

describe('the documentation', () => {
  it.each(['CONTRIBUTING.md', 'docs/architecture.md'])('%s names files that are there', (page) => {
    const missing = sourcesIn(page).filter(
      (path) => !existsSync(join(root, 'src', path)) && !existsSync(join(root, path)),
    );
    expect(missing).toEqual([]);
  });

  it.each(pages())('%s links to what is there', (page) => {
    const broken = linksOf(page).filter((link) => {
      const [path = '', anchor] = link.split('#');
      const target = path === '' ? join(root, page) : resolve(root, dirname(page), path);
      return !existsSync(target) || (anchor !== undefined && !anchorsOf(target).includes(anchor));
    });
    expect(broken).toEqual([]);
  });
});
