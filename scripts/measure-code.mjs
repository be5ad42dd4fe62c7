// Prints the measures of the source as a table: `node scripts/measure-code.mjs [REVISION …]`. Without a revision it
// measures the working tree; with revisions, one column each (`.` is the working tree). `--types N` lists the N types
// that most files import, `--options` the files that name each option of the orchestrator.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import ts from 'typescript5';
import { VOCABULARY } from '../layers.config.mjs';
import { MAX_TYPE_IMPORTERS, readSource, typeImporters } from './type-importers.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const MAX_FUNCTION_LINES = 80;
/** Options that exist since the first version; each is read at one place. */
const OPTIONS = ['effort', 'fallbackModel', 'maxTurns', 'autoCompact', 'contextWindow'];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { types: { type: 'string' }, options: { type: 'boolean' } },
});
const revisions = positionals.length === 0 ? ['.'] : positionals;
const columns = revisions.map((revision) => ({ revision, ...measure(revision) }));

const names = Object.keys(columns[0].rows);
print(['measure', ...columns.map(({ revision }) => nameOf(revision))]);
print(['---', ...columns.map(() => '---:')]);
for (const name of names) print([name, ...columns.map(({ rows }) => String(rows[name]))]);

if (values.types !== undefined) {
  for (const { revision, types } of columns) {
    console.log(`\ntypes by importing files, ${nameOf(revision)}`);
    for (const { id, importers } of types.slice(0, Number(values.types))) {
      console.log(`${String(importers).padStart(4)}  ${id}`);
    }
  }
}
if (values.options === true) {
  for (const { revision, named } of columns) {
    console.log(`\nfiles that name an option, ${nameOf(revision)}`);
    for (const [option, files] of Object.entries(named)) {
      console.log(`${String(files.length).padStart(4)}  ${option}`);
    }
  }
}

function measure(revision) {
  if (revision === '.') return measureFolder(join(root, 'src'));
  const folder = mkdtempSync(join(tmpdir(), 'measure-'));
  try {
    const archive = execFileSync('git', ['archive', revision, 'src'], {
      cwd: root,
      maxBuffer: 2 ** 30,
    });
    execFileSync('tar', ['-x', '-C', folder], { input: archive });
    return measureFolder(join(folder, 'src'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function measureFolder(src) {
  const files = readSource(src);
  const functions = files.flatMap(functionLengths);
  const types = typeImporters(files);
  const importedByMany = types.filter(({ importers }) => importers > MAX_TYPE_IMPORTERS);
  const lines = files.map((file) => file.lines).toSorted((a, b) => a - b);
  const named = Object.fromEntries(OPTIONS.map((option) => [option, naming(files, option)]));
  const rows = {
    files: files.length,
    lines: lines.reduce((sum, one) => sum + one, 0),
    'lines of the median file': lines[Math.floor(lines.length / 2)],
    'lines of the longest file': lines.at(-1),
    [`functions over ${MAX_FUNCTION_LINES} lines`]: functions.filter(
      (length) => length > MAX_FUNCTION_LINES,
    ).length,
    'lines of the longest function': Math.max(...functions),
    'longest import list of a file': Math.max(
      ...files.filter((file) => file.name !== 'index.ts').map(({ imports }) => imports.length),
    ),
    'files that import the most imported type': types[0].importers,
    [`types that more than ${MAX_TYPE_IMPORTERS} files import`]: importedByMany.length,
    '… of them outside core/': importedByMany.filter(({ id }) => !id.startsWith('core/')).length,
    '… of them no vocabulary': importedByMany.filter(
      ({ id }) => !id.startsWith('core/') && !(id in VOCABULARY),
    ).length,
    'files that import the type of a session': sessionImporters(types),
    ...Object.fromEntries(
      Object.entries(named).map(([option, found]) => [`files that name ${option}`, found.length]),
    ),
  };
  return { rows, types, named };
}

/** The runtime that holds a session together. */
function sessionImporters(types) {
  const session = types.find(({ id }) => id.endsWith(' SessionRuntime'));
  return session?.importers ?? 0;
}

/** The lines of each function, without blank lines and comments, as the lint rule counts them. */
function functionLengths({ tree }) {
  const code = new Set();
  const found = [];
  const line = (position) => tree.getLineAndCharacterOfPosition(position).line;
  visit(tree);
  return found.map(([from, to]) => {
    let length = 0;
    for (let at = from; at <= to; at += 1) if (code.has(at)) length += 1;
    return length;
  });

  function visit(node) {
    if (ts.isFunctionLike(node) && node.body !== undefined) {
      found.push([line(node.getStart(tree)), line(node.end)]);
    }
    const children = node.getChildren(tree).filter((child) => !ts.isJSDoc(child));
    if (children.length === 0 && node.end > node.getStart(tree)) {
      for (let at = line(node.getStart(tree)); at <= line(node.end); at += 1) code.add(at);
    }
    for (const child of children) visit(child);
  }
}

/** The files that have the option as an identifier. */
function naming(files, option) {
  return files.filter(({ tree }) => hasIdentifier(tree, option)).map(({ name }) => name);
}

function hasIdentifier(node, name) {
  if (ts.isIdentifier(node) && node.text === name) return true;
  return ts.forEachChild(node, (child) => hasIdentifier(child, name) || undefined) === true;
}

function nameOf(revision) {
  return revision === '.' ? 'working tree' : revision;
}

function print(cells) {
  console.log(`| ${cells.join(' | ')} |`);
}
