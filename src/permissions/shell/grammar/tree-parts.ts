import { isPlainWord, PARAMETERS, WORDS } from './plain-word.js';
import type { Span } from '../words/shell-token.js';
import type { SyntaxNode } from './syntax-node.js';

/** Nodes that contain simple commands. */
const STRUCTURES: ReadonlySet<string> = new Set(
  [
    'program list pipeline negated_command redirected_statement compound_statement subshell do_group',
    'if_statement elif_clause else_clause while_statement for_statement case_statement case_item',
  ].flatMap((line) => line.split(' ')),
);
/** Nodes whose last command owns a redirect behind them. */
const TRANSPARENT: ReadonlySet<string> = new Set(
  'list pipeline negated_command redirected_statement'.split(' '),
);
const BLANKS: ReadonlySet<string> = new Set([' ', '\t', '\n']);
const REDIRECTS: ReadonlySet<string> = new Set(
  'file_redirect heredoc_redirect herestring_redirect'.split(' '),
);
const MARKS: ReadonlySet<string> = new Set(
  '&& || | |& ; & ;; ( ) { } ! if then elif else fi while until do done for in case esac'.split(
    ' ',
  ),
);
/** Nodes whose words are data. */
const DATA_HOLDERS: ReadonlySet<string> = new Set(
  'for_statement case_statement case_item'.split(' '),
);

/** The parts that a command line is made of. The first word of a command begins a part, each other word adds one. */
const KINDS = { command: 0, word: 1, parameter: 2, mark: 3, data: 4, redirect: 5, document: 6 };
/** More than the length of any line that is parsed. */
const BASE = 2 ** 15;

/**
 * One number for each part, so that thousands are compared quickly.
 *
 * @param third the third index of a part with more than two
 */
export function partOf(kind: keyof typeof KINDS, { start, end }: Span, third = 0): number {
  return ((KINDS[kind] * BASE + third) * BASE + start) * BASE + end;
}

/** The parts of a command, whose words are in the order written. */
export function partsOfCommand(words: readonly Span[]): readonly number[] {
  let before: Span | undefined;
  return words.map((word) => {
    const part =
      before === undefined ? partOf('command', word) : partOf('word', word, before.start);
    before = word;
    return part;
  });
}

/** The parts of a here-document. */
export function partOfDocument(delimiter: Span, bodyEnd: number): number {
  return partOf('document', delimiter, bodyEnd);
}

type Command = { readonly words: Span[] };

/** The state of reading a syntax tree. */
type View = {
  readonly source: string;
  readonly parts: number[];
  readonly commands: Command[];
  /** Everything before this index belongs to a known node, or is blank. */
  position: number;
  isKnown: boolean;
};

/**
 * The parts that a syntax tree contains: commands with the places of their words, redirects, here-documents, operators
 * and reserved words. Undefined if a type of node is unknown, or if the tree leaves out anything but blanks.
 */
export function partsOfTree(source: string, tree: SyntaxNode): readonly number[] | undefined {
  if (source.length >= BASE) return undefined;
  const view: View = { source, parts: [], commands: [], position: 0, isKnown: true };
  visit(view, tree);
  cover(view, { start: source.length, end: source.length });
  const { parts, commands, isKnown } = view;
  if (!isKnown) return undefined;
  for (const { words } of commands)
    parts.push(...partsOfCommand(words.sort((a, b) => a.start - b.start)));
  return parts;
}

function refuse(view: View): undefined {
  view.isKnown = false;
  return undefined;
}

/** Cover a part without known parts inside: the text before it must be blank. */
function cover(view: View, { start, end }: Span): void {
  if (start < view.position || !isBlank(view.source, view.position, start)) refuse(view);
  view.position = end;
}

function isBlank(source: string, from: number, to: number): boolean {
  for (let index = from; index < to; index++) {
    if (!BLANKS.has(source[index] ?? '')) return false;
  }
  return true;
}

function newCommand({ commands }: View): Command {
  const command = { words: [] };
  commands.push(command);
  return command;
}

/** Visit a node. @returns the simple command that a redirect behind the node would belong to */
function visit(view: View, node: SyntaxNode): Command | undefined {
  if (STRUCTURES.has(node.type)) return visitStructure(view, node);
  switch (node.type) {
    case 'command':
    case 'test_command':
    case 'declaration_command':
    case 'unset_command':
    case 'variable_assignments':
      return visitCommand(view, node);
    case 'variable_assignment':
    case 'variable_name': {
      const command = newCommand(view);
      takeWord(view, node, command);
      return command;
    }
    default:
      return refuse(view);
  }
}

function visitStructure(view: View, node: SyntaxNode): Command | undefined {
  let tail: Command | undefined;
  const isRedirected = node.type === 'redirected_statement';
  for (const child of node.children) {
    if (child.type === 'comment' || child.type === '\n') cover(view, child);
    else if (!child.isNamed && MARKS.has(child.type)) takeMark(view, child);
    else if (REDIRECTS.has(child.type)) {
      tail ??= isRedirected && node.children[0] === child ? newCommand(view) : undefined;
      visitRedirect(view, child, tail);
    } else if (DATA_HOLDERS.has(node.type) && isData(child)) takeData(view, child);
    else tail = visit(view, child);
  }
  return TRANSPARENT.has(node.type) ? tail : undefined;
}

function isData({ type }: SyntaxNode): boolean {
  return WORDS.has(type) || type === 'variable_name';
}

function takeData(view: View, node: SyntaxNode): void {
  cover(view, node);
  if (!isPlainWord(view.source, node)) refuse(view);
  view.parts.push(partOf('data', node));
}

function takeMark(view: View, node: SyntaxNode): void {
  cover(view, node);
  view.parts.push(partOf('mark', node));
}

function visitCommand(view: View, node: SyntaxNode): Command {
  const command = newCommand(view);
  for (const child of node.children) {
    if (REDIRECTS.has(child.type)) visitRedirect(view, child, command);
    else if (child.type === 'command_name')
      child.children.forEach((one) => takeWord(view, one, command));
    else if (node.type === 'test_command') takeLeaves(view, child, command);
    else takeWord(view, child, command);
  }
  return command;
}

/** Take the words of `[ … ]` as words, whatever their meaning. */
function takeLeaves(view: View, node: SyntaxNode, command: Command): void {
  if (node.children.length === 0 || WORDS.has(node.type)) takeWord(view, node, command);
  else if (/^(?:unary|binary)_expression$/.test(node.type)) {
    node.children.forEach((child) => takeLeaves(view, child, command));
  } else refuse(view);
}

function takeWord(view: View, node: SyntaxNode, command: Command): void {
  takeParts(view, node);
  command.words.push({ start: node.start, end: node.end });
}

function takeParts(view: View, word: SyntaxNode): void {
  cover(view, word);
  const parameters: Span[] = [];
  if (!isPlainWord(view.source, word, parameters)) refuse(view);
  view.parts.push(...parameters.map((place) => partOf('parameter', place)));
}

/** The words behind the target of a redirect belong to its command; the grammar misplaces them. */
function visitRedirect(view: View, node: SyntaxNode, command: Command | undefined): void {
  if (node.type === 'heredoc_redirect') return visitHereDocument(view, node, command);
  let end = node.start;
  let hasTarget = false;
  for (const child of node.children) {
    if (child.type === 'file_descriptor') cover(view, child);
    else if (/^[<>&|-]+$/.test(child.type)) {
      cover(view, child);
      end = child.end;
      hasTarget = child.type.endsWith('-');
    } else if (!WORDS.has(child.type) && !PARAMETERS.has(child.type)) refuse(view);
    else if (hasTarget) takeWordBehind(view, child, command);
    else {
      takeParts(view, child);
      end = child.end;
      hasTarget = true;
    }
  }
  view.parts.push(partOf('redirect', { start: node.start, end }));
}

function visitHereDocument(view: View, node: SyntaxNode, command: Command | undefined): void {
  let delimiter: SyntaxNode | undefined;
  for (const child of node.children) {
    switch (child.type) {
      case 'file_descriptor':
      case '<<':
      case '<<-':
        cover(view, child);
        break;
      case 'heredoc_start':
        cover(view, child);
        delimiter = child;
        break;
      case 'heredoc_body':
        if (child.children.some(({ type }) => type !== 'heredoc_content')) refuse(view);
        cover(view, child);
        break;
      case 'heredoc_end':
        cover(view, child);
        view.parts.push(partOfDocument(delimiter ?? child, child.end));
        break;
      default:
        visitBehindDelimiter(view, child, command);
    }
  }
}

/** The rest of the line is inside the redirect. */
function visitBehindDelimiter(view: View, node: SyntaxNode, command: Command | undefined): void {
  if (WORDS.has(node.type) || PARAMETERS.has(node.type)) takeWordBehind(view, node, command);
  else if (!node.isNamed && MARKS.has(node.type)) takeMark(view, node);
  else if (REDIRECTS.has(node.type)) visitRedirect(view, node, command);
  else visit(view, node);
}

function takeWordBehind(view: View, node: SyntaxNode, command: Command | undefined): void {
  if (command === undefined) refuse(view);
  else takeWord(view, node, command);
}
