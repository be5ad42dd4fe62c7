import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, isAbsolute, join, posix, relative, sep } from 'node:path';
import { rolldown } from 'rolldown';
import { parseAst } from 'rolldown/parseAst';

const PACKAGE = /^(?:@[^/]+\/)?[^/]+/;
const OWN_FILE = 'import.meta.url';
const PLACED_FILE = /"troupe-module:([^"]+)"/g;
/** Ink looks for it only if `DEV` is set. */
const ABSENT = 'react-devtools-core';
const NOT_ASCII = /[^\0-\x7f]/g;

/**
 * Bundles compiled modules, `<modules>/<entry>.js` to `<folder>/<entry>.js`. Shared modules and late imports are in
 * `chunks/` beside the first entry. Packages stay outside, except those in `carries`, whose licences are beside the
 * chunks. `together` names chunks, each with lists of modules: a chunk has the modules that all of its lists need and
 * that no earlier chunk has. `minify` is rolldown's option.
 */
export async function bundle({ modules, folder, entries, carries, together = {}, minify }) {
  const home = dirname(entries[0]);
  const bundler = await rolldown({
    input: Object.fromEntries(entries.map((entry) => [entry, join(modules, `${entry}.js`)])),
    platform: 'node',
    transform: { define: { 'process.env.NODE_ENV': '"production"' } }, // React has a slower half for development
    resolve: { mainFields: ['module', 'main'] }, // what is no ES module cannot be bundled with its `require`
    checks: { ineffectiveDynamicImport: false }, // what a program loads late, the command may need at once
    external: (id, importer) =>
      id === ABSENT ||
      (!/^[./]/.test(id) &&
        !isAbsolute(id) &&
        !carries.includes(PACKAGE.exec(id)[0]) &&
        !isOfPackage(importer)),
    plugins: [keepPlaces(modules), escapeCharacters(), takeBuiltins()],
    logLevel: 'warn',
  });
  const { output } = await bundler.write({
    dir: folder,
    format: 'esm',
    minify,
    comments: false, // licences are in a file beside the chunks
    codeSplitting: { groups: toGroups(together, modules) },
    entryFileNames: '[name].js',
    chunkFileNames: posix.join(home, 'chunks/[name]-[hash].js'),
  });
  await bundler.close();
  const names = new Set(output.flatMap((chunk) => Object.keys(chunk.modules ?? {}).map(packageOf)));
  names.delete(undefined);
  if (names.size > 0)
    writeFileSync(join(folder, home, 'chunks/LICENSES.txt'), licences([...names]));
}

function toGroups(together, modules) {
  return Object.entries(together).map(([chunk, lists]) => {
    const roots = lists.map((list) => list.map((module) => join(modules, `${module}.js`)));
    const missing = roots.flat().find((file) => !existsSync(file));
    if (missing !== undefined) throw new Error(`The chunk "${chunk}": there is no ${missing}.`);
    let needed;
    return {
      debugName: chunk,
      name(id, graph) {
        needed ??= roots.map((files) => withImports(files, graph));
        return needed.every((ids) => ids.has(id)) ? chunk : null;
      },
    };
  });
}

function withImports(files, graph) {
  const ids = new Set(files);
  for (const id of ids)
    for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) ids.add(imported);
  return ids;
}

/** Modules that look for a file beside themselves (`package.json`, an example) still find it from inside a chunk. */
function keepPlaces(modules) {
  return {
    name: 'keep-places',
    transform(code, id) {
      if (isOfPackage(id) || !code.includes(OWN_FILE)) return null;
      const file = relative(modules, id).split(sep).join('/');
      return code.replaceAll(OWN_FILE, () => JSON.stringify(`troupe-module:${file}`));
    },
    renderChunk(code, chunk) {
      const from = posix.dirname(chunk.fileName);
      return code.replace(
        PLACED_FILE,
        (_, file) => `new URL(${JSON.stringify(posix.relative(from, file))}, import.meta.url).href`,
      );
    },
  };
}

/** V8 compiles a file of ASCII characters a tenth faster. */
function escapeCharacters() {
  return {
    name: 'escape-characters',
    generateBundle(_, chunks) {
      for (const chunk of Object.values(chunks))
        chunk.code = chunk.code?.replace(NOT_ASCII, (character) => {
          const code = character.charCodeAt(0).toString(16).padStart(4, '0');
          return `\\u${code}`;
        });
    },
  };
}

/**
 * A module of Node that is imported loads others, because all its getters are read: `node:util` loads worker threads. That
 * is avoided if it is not imported.
 */
function takeBuiltins() {
  return {
    name: 'take-builtins',
    generateBundle(_, chunks) {
      for (const chunk of Object.values(chunks)) {
        if (chunk.type !== 'chunk') continue;
        const { body } = parseAst(chunk.code);
        for (const { type, start, end, source, specifiers } of body.toReversed())
          if (type === 'ImportDeclaration' && source.value.startsWith('node:'))
            chunk.code =
              chunk.code.slice(0, start) +
              takenFrom(source.value, specifiers) +
              chunk.code.slice(end);
      }
    },
  };
}

function takenFrom(name, specifiers) {
  const builtin = `process.getBuiltinModule(${JSON.stringify(name)})`;
  const isPart = ({ type }) => type === 'ImportSpecifier';
  const parts = specifiers
    .filter(isPart)
    .map(({ imported: { name: part }, local }) =>
      part === local.name ? part : `${part}: ${local.name}`,
    );
  const wholes = specifiers
    .filter((one) => !isPart(one))
    .map(({ local }) => `${local.name} = ${builtin}`);
  if (parts.length > 0) wholes.push(`{ ${parts.join(', ')} } = ${builtin}`);
  return `const ${wholes.join(', ')};`;
}

function isOfPackage(file) {
  return file?.includes(`${sep}node_modules${sep}`) ?? false;
}

function packageOf(file) {
  const inside = file.split(`${sep}node_modules${sep}`).at(-1);
  return isOfPackage(file) ? PACKAGE.exec(inside.split(sep).join('/'))[0] : undefined;
}

function licences(names) {
  const packages = createRequire(import.meta.url).resolve('rolldown/package.json');
  const texts = names.toSorted().map((name) => {
    const folder = join(dirname(packages), '..', name);
    const file = readdirSync(folder).find((one) => /^licen[cs]e(?:\.\w+)?$/i.test(one));
    const { license, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const text =
      file === undefined
        ? `${license}, ${JSON.stringify(author)}`
        : readFileSync(join(folder, file), 'utf8').trim();
    return `${name}\n\n${text}\n`;
  });
  return texts.join(`\n${'-'.repeat(80)}\n\n`);
}
