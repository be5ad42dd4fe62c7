import { isPlainWord, PARAMETERS, WORDS } from './plain-word.js';
import type { Span } from './shell-token.js';
import type { SyntaxNode } from './syntax-node.js';

/** Parts of the grammar in which simple commands stand. */
const STRUCTURES: ReadonlySet<string> = new Set(
  [
    'program list pipeline negated_command redirected_statement compound_statement subshell do_group',
    'if_statement elif_clause else_clause while_statement for_statement case_statement case_item',
  ].flatMap((line) => line.split(' ')),
);
/** The last command in them is the one that a redirect behind them belongs to. */
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
/** Within these words are data. */
const DATA_HOLDERS: ReadonlySet<string> = new Set(
  'for_statement case_statement case_item'.split(' '),
);

/** One line for each part that a command line is made of; see {@link partOf}. */
export type Parts = readonly string[];

export function partOf(kind: string, ...spans: readonly Span[]): string {
  let part = kind;
  for (const { start, end } of spans) part += ` ${start}-${end}`;
  return part;
}

type Command = { readonly words: Span[] };

/** What is seen of a syntax tree. */
type View = {
  readonly source: string;
  readonly parts: string[];
  readonly commands: Command[];
  /** All before it belongs to a node that is known here, or is blank. */
  position: number;
  isKnown: boolean;
};

/**
 * What a syntax tree sees: commands with the places of their words, redirects, here-documents, operators and reserved
 * words. Undefined if it holds a type of node that is not known here, or leaves out anything but blanks.
 */
export function partsOfTree(source: string, tree: SyntaxNode): Parts | undefined {
  const view: View = { source, parts: [], commands: [], position: 0, isKnown: true };
  visit(view, tree);
  cover(view, { start: source.length, end: source.length });
  const { parts, commands, isKnown } = view;
  if (!isKnown) return undefined;
  for (const { words } of commands) {
    if (words.length > 0) parts.push(partOf('command', ...words.sort((a, b) => a.start - b.start)));
  }
  return parts;
}

function refuse(view: View): undefined {
  view.isKnown = false;
  return undefined;
}

/** A part without known parts of its own: what stands before it has to be blank. */
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

/** The simple command that a redirect behind the node would belong to. */
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

/** The words of `[ … ]`, whatever they mean to it. */
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

/** What follows the target of a redirect is a word of its command, which the grammar does not know. */
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
        view.parts.push(
          partOf('document', delimiter ?? child, { start: child.end, end: child.end }),
        );
        break;
      default:
        visitBehindDelimiter(view, child, command);
    }
  }
}

/** The rest of the line stands within the redirect. */
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
