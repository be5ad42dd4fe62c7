import { messageOf } from '../../core/errors.js';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import type { Language, TreeCursor } from 'web-tree-sitter';
import type { ParseShell, SyntaxNode } from '../../permissions/shell/syntax-node.js';

/** Lies beside this file where it is built; its package is needed for building only. */
const GRAMMAR = 'tree-sitter-bash.wasm';

/** The grammar of bash, loaded at the first call; undefined where that failed. Never rejects. */
export type BashGrammar = () => Promise<ParseShell | undefined>;

/** A failure is told once, as a warning of the process. */
export function createBashGrammar(load = loadBashGrammar): BashGrammar {
  let loading: Promise<ParseShell | undefined> | undefined;
  return () =>
    (loading ??= load().catch((error: unknown) => {
      process.emitWarning(
        `The grammar of the shell could not be loaded, so no shell command runs without being asked for: ${messageOf(error)}`,
      );
      return undefined;
    }));
}

/**
 * Loads the grammar of bash: two WebAssembly modules, some 20 ms.
 * @throws where a module cannot be read or instantiated
 */
export async function loadBashGrammar(): Promise<ParseShell> {
  const { Parser, Language } = await import('web-tree-sitter');
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
 * V8 would optimise the huge functions of the parser in the background, for a second and more in which the first command
 * of a process waits. Lines of shell are short enough to do without.
 */
async function unoptimised<Loaded>(load: () => Promise<Loaded>): Promise<Loaded> {
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

/** What the numbers of node types mean: each question to the parser takes time, and there are thousands of nodes. */
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

/** Undefined where a part was made up by the parser. */
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
