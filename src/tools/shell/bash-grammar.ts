import { messageOf } from '../../core/errors.js';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Language, TreeCursor } from 'web-tree-sitter';
import type * as TreeSitter from 'web-tree-sitter';
import type { ParseShell, SyntaxNode } from '../../permissions/shell/grammar/syntax-node.js';

/** The file is built beside this one. Its package is needed for building only. */
const GRAMMAR = 'tree-sitter-bash.wasm';

/**
 * The grammar of bash, loaded at the first call; undefined if that failed: the next call tries again. Never rejects.
 */
export type BashGrammar = () => Promise<ParseShell | undefined>;

/** The first failure is reported as a warning of the process. */
export function createBashGrammar(load = loadBashGrammar): BashGrammar {
  let loading: Promise<ParseShell | undefined> | undefined;
  let isTold = false;
  return () =>
    (loading ??= load().catch((error: unknown) => {
      loading = undefined; // too many open files, for example, which is temporary
      if (!isTold)
        process.emitWarning(
          `The grammar of the shell could not be loaded. Until it can be, every shell command needs approval: ${messageOf(error)}`,
        );
      isTold = true;
      return undefined;
    }));
}

/**
 * Load the grammar of bash: two WebAssembly modules, some 20 ms.
 * @throws if a module cannot be read or instantiated
 */
export async function loadBashGrammar(): Promise<ParseShell> {
  const { Parser, Language } = await importParser();
  await Parser.init();
  const language = await unoptimised(() => Language.load(grammarFile()));
  const parser = new Parser().setLanguage(language);
  const kinds = kindsOf(language);
  return (source) => {
    const tree = parser.parse(source);
    if (tree === null) return undefined;
    try {
      if (tree.rootNode.hasError) return undefined;
      const cursor = tree.walk();
      try {
        return toNode(cursor, kinds);
      } finally {
        cursor.delete();
      }
    } finally {
      tree.delete();
    }
  };
}

/**
 * Node caches a failed import for the whole process, also one that failed for too many open files. Then import the file
 * by its path.
 */
async function importParser(): Promise<typeof TreeSitter> {
  try {
    return await import('web-tree-sitter');
  } catch (error) {
    for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
      const file = join(folder, 'node_modules/web-tree-sitter/web-tree-sitter.js');
      if (existsSync(file))
        return (await import(
          `${pathToFileURL(file).href}?again=${Date.now()}`
        )) as typeof TreeSitter; // the same package
      if (folder === dirname(folder)) throw error;
    }
  }
}

/**
 * V8 would optimise the huge functions of the parser in the background, for a second and more in which the first
 * command of a process waits. Shell lines are short enough without it.
 */
async function unoptimised<Loaded>(load: () => Promise<Loaded>): Promise<Loaded> {
  const { setFlagsFromString } = process.getBuiltinModule('node:v8'); // an import would load it with every start
  setFlagsFromString('--liftoff-only');
  try {
    return await load();
  } finally {
    setFlagsFromString('--no-liftoff-only');
  }
}

function grammarFile(): string {
  const built = fileURLToPath(new URL(GRAMMAR, import.meta.url));
  if (existsSync(built)) return built;
  return createRequire(import.meta.url).resolve(`tree-sitter-bash/${GRAMMAR}`);
}

type Kind = { readonly type: string; readonly isNamed: boolean; readonly isLeaf: boolean };

/** The kinds of node types by number: each call into the parser takes time, and there are thousands of nodes. */
function kindsOf(language: Language): (id: number) => Kind {
  const kinds = new Map<number, Kind>();
  return (id) => {
    let kind = kinds.get(id);
    if (kind === undefined) {
      const type = language.nodeTypeForId(id) ?? 'ERROR';
      const isNamed = language.nodeTypeIsNamed(id);
      kind = { type, isNamed, isLeaf: !isNamed || type === 'word' || type === 'raw_string' };
      kinds.set(id, kind);
    }
    return kind;
  };
}

/** Undefined if the parser made a part up. */
function toNode(cursor: TreeCursor, kindOf: (id: number) => Kind): SyntaxNode | undefined {
  const { type, isNamed, isLeaf } = kindOf(cursor.nodeTypeId);
  const { startIndex: start, endIndex: end } = cursor;
  if (start === end && cursor.nodeIsMissing) return undefined;
  const children: SyntaxNode[] = [];
  if (!isLeaf && cursor.gotoFirstChild()) {
    do {
      const child = toNode(cursor, kindOf);
      if (child === undefined) return undefined;
      children.push(child);
    } while (cursor.gotoNextSibling());
    cursor.gotoParent();
  }
  return { type, isNamed, start, end, children };
}
