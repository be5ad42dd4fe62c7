// Counts for each exported type the files that import it.
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript5';

/** Types outside of the vocabulary have at most this many importers. */
export const MAX_TYPE_IMPORTERS = 15;

/** Parse every source file below a folder. */
export function readSource(src) {
  return readdirSync(src, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => read(join(entry.parentPath, entry.name), src));
}

/**
 * Each exported type, interface, class and enum, with the number of files that import it. An import through a file that
 * only passes the type on counts for the file that declares it.
 */
export function typeImporters(files) {
  const byName = new Map(files.map((file) => [file.name, file]));
  const importers = new Map();
  for (const file of files) {
    for (const statement of file.tree.statements) {
      if (exportsType(statement)) importers.set(idOf(file, statement.name.text), new Set());
    }
  }
  for (const file of files) {
    for (const declaration of file.imports) {
      const target = resolve(file, declaration.moduleSpecifier.text, byName);
      const bindings = declaration.importClause?.namedBindings;
      if (target === undefined || bindings === undefined || !ts.isNamedImports(bindings)) continue;
      for (const { name, propertyName } of bindings.elements) {
        const id = declaredAs(target, (propertyName ?? name).text, byName);
        importers.get(id)?.add(file.name);
      }
    }
  }
  return [...importers]
    .map(([id, found]) => ({ id, importers: found.size }))
    .toSorted((a, b) => b.importers - a.importers);
}

/** Follow `export { … } from` to the file that declares the name. */
function declaredAs(file, name, byName) {
  for (const { moduleSpecifier, exportClause } of file.tree.statements.filter(
    ts.isExportDeclaration,
  )) {
    if (moduleSpecifier === undefined || !ts.isNamedExports(exportClause)) continue;
    const passed = exportClause.elements.find((one) => one.name.text === name);
    const from = passed && resolve(file, moduleSpecifier.text, byName);
    if (from !== undefined)
      return declaredAs(from, (passed.propertyName ?? passed.name).text, byName);
  }
  return idOf(file, name);
}

function exportsType(statement) {
  const declares =
    ts.isTypeAliasDeclaration(statement) ||
    ts.isInterfaceDeclaration(statement) ||
    ts.isClassDeclaration(statement) ||
    ts.isEnumDeclaration(statement);
  return (
    declares && (statement.modifiers ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
  );
}

function idOf(file, name) {
  return `${file.name} ${name}`;
}

function resolve(file, specifier, byName) {
  if (!specifier.startsWith('.')) return undefined;
  const base = join(dirname(file.name), specifier).replace(/\.js$/, '');
  return byName.get(`${base}.ts`) ?? byName.get(`${base}.tsx`);
}

function read(path, src) {
  const text = readFileSync(path, 'utf8');
  const name = relative(src, path);
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const imports = tree.statements.filter(ts.isImportDeclaration);
  const lines = text.split('\n').length - 1;
  return { name, tree, imports, lines };
}
