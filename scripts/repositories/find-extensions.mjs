import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const LIST = JSON.parse(
  readFileSync(join(import.meta.dirname, '../public-repositories.json'), 'utf8'),
);
const SKIPPED = ['.git', 'node_modules'];

/** All files of a repository, as relative paths. Links are not followed. */
export function filesIn(root) {
  const walk = (folder) =>
    readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return SKIPPED.includes(entry.name) ? [] : walk(path);
      return [path];
    });
  return walk('');
}

/** The folders of a repository whose contents belong into `.claude/KIND` of a project. */
export function foldersOf(root, kind, files = filesIn(root)) {
  if (kind === 'skills') return skillFolders(files);
  const named = LIST.find(({ repository }) => repository.replace('/', '+') === basename(root));
  const [extra = []] = [named?.[kind]];
  const found = files
    .filter((file) => file.endsWith('.md'))
    .flatMap((file) => {
      const parts = dirname(file).split('/');
      const index = parts.indexOf(kind);
      return index === -1 ? [] : [parts.slice(0, index + 1).join('/')];
    });
  return [...new Set([...found, ...extra])].sort();
}

/** A folder of skills has folders with a `SKILL.md`. */
function skillFolders(files) {
  const skills = files.filter((file) => basename(file) === 'SKILL.md' && dirname(file) !== '.');
  return [...new Set(skills.map((file) => dirname(dirname(file))))].sort();
}

/** The files of a folder that the published tool would load. */
export function loadableFiles(folder, kind) {
  const names = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.md'));
  if (kind === 'skills')
    return readdirSync(folder).filter((name) => existsSync(join(folder, name, 'SKILL.md')));
  if (kind !== 'agents') return names;
  const start = (name) => readFileSync(join(folder, name), 'utf8').slice(0, 5_000);
  return names.filter((name) => /^---\r?\n[^]*?^name:/m.test(start(name)));
}
