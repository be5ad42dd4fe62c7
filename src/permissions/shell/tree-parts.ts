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
const WORDS: ReadonlySet<string> = new Set(
  'word number string raw_string ansi_c_string concatenation extglob_pattern $'.split(' '),
);
const REDIRECTS: ReadonlySet<string> = new Set(
  'file_redirect heredoc_redirect herestring_redirect'.split(' '),
);
const PARAMETERS: ReadonlySet<string> = new Set(['simple_expansion', 'expansion']);
/** What a parameter is made of that is expanded as it is. */
const PARAMETER_PARTS = /^(?:\$ (?:variable_name|special_variable_name)|\$\{ variable_name \})$/;
const MARKS: ReadonlySet<string> = new Set(
  '&& || | |& ; & ;; ( ) { } ! if then elif else fi while until do done for in case esac'.split(
    ' ',
  ),
);
/** Within these words are data. */
const DATA_HOLDERS: ReadonlySet<string> = new Set(
  'for_statement case_statement case_item'.split(' '),
);

type Command = { readonly words: Span[] };

/** One line for each part that a command line is made of; see {@link partOf}. */
export type Parts = readonly string[];

export function partOf(kind: string, ...spans: readonly Span[]): string {
  let part = kind;
  for (const { start, end } of spans) part += ` ${start}-${end}`;
  return part;
}

/**
 * What a syntax tree sees: commands with the places of their words, redirects, here-documents, operators and reserved
 * words. Undefined where it holds a type of node that is not known here, or leaves out anything but blanks.
 */
export function partsOfTree(source: string, tree: SyntaxNode): Parts | undefined {
  const parts: string[] = [];
  const commands: Command[] = [];
  let position = 0;
  let isKnown = true;

  visit(tree);
  cover({ start: source.length, end: source.length });
  if (!isKnown) return undefined;
  for (const { words } of commands) {
    if (words.length > 0) parts.push(partOf('command', ...words.sort((a, b) => a.start - b.start)));
  }
  return parts;

  function refuse(): undefined {
    isKnown = false;
    return undefined;
  }

  /** A part without known parts of its own: what stands before it has to be blank. */
  function cover({ start, end }: Span): void {
    if (start < position || !isBlank(position, start)) refuse();
    position = end;
  }

  function isBlank(from: number, to: number): boolean {
    for (let index = from; index < to; index++) {
      if (!BLANKS.has(source[index] ?? '')) return false;
    }
    return true;
  }

  function newCommand(): Command {
    const command = { words: [] };
    commands.push(command);
    return command;
  }

  /** The simple command that a redirect behind the node would belong to. */
  function visit(node: SyntaxNode): Command | undefined {
    if (STRUCTURES.has(node.type)) return visitStructure(node);
    switch (node.type) {
      case 'command':
      case 'test_command':
      case 'declaration_command':
      case 'unset_command':
      case 'variable_assignments':
        return visitCommand(node, newCommand());
      case 'variable_assignment':
      case 'variable_name': {
        const command = newCommand();
        takeWord(node, command);
        return command;
      }
      default:
        return refuse();
    }
  }

  function visitStructure(node: SyntaxNode): Command | undefined {
    let tail: Command | undefined;
    const isRedirected = node.type === 'redirected_statement';
    for (const child of node.children) {
      if (child.type === 'comment' || child.type === '\n') cover(child);
      else if (!child.isNamed && MARKS.has(child.type)) takeMark(child);
      else if (REDIRECTS.has(child.type)) {
        tail ??= isRedirected && node.children[0] === child ? newCommand() : undefined;
        visitRedirect(child, tail);
      } else if (DATA_HOLDERS.has(node.type) && isData(child)) {
        cover(child);
        if (!isPlainWord(child)) refuse();
        parts.push(partOf('data', child));
      } else tail = visit(child);
    }
    return TRANSPARENT.has(node.type) ? tail : undefined;
  }

  function isData({ type }: SyntaxNode): boolean {
    return WORDS.has(type) || type === 'variable_name';
  }

  function takeMark(node: SyntaxNode): void {
    cover(node);
    parts.push(partOf('mark', node));
  }

  function visitCommand(node: SyntaxNode, command: Command): Command {
    for (const child of node.children) {
      if (REDIRECTS.has(child.type)) visitRedirect(child, command);
      else if (child.type === 'command_name')
        child.children.forEach((one) => takeWord(one, command));
      else if (node.type === 'test_command') takeLeaves(child, command);
      else takeWord(child, command);
    }
    return command;
  }

  /** The words of `[ … ]`, whatever they mean to it. */
  function takeLeaves(node: SyntaxNode, command: Command): void {
    if (node.children.length === 0 || WORDS.has(node.type)) takeWord(node, command);
    else if (/^(?:unary|binary)_expression$/.test(node.type)) {
      node.children.forEach((child) => takeLeaves(child, command));
    } else refuse();
  }

  function takeWord(node: SyntaxNode, command: Command): void {
    takeParts(node);
    command.words.push({ start: node.start, end: node.end });
  }

  function takeParts(word: SyntaxNode): void {
    cover(word);
    const parameters: Span[] = [];
    if (!isPlainWord(word, parameters)) refuse();
    parts.push(...parameters.map((place) => partOf('parameter', place)));
  }

  /** What follows the target of a redirect is a word of its command, which the grammar does not know. */
  function visitRedirect(node: SyntaxNode, command: Command | undefined): void {
    let end = node.start;
    let hasTarget = false;
    let delimiter: SyntaxNode | undefined;
    for (const child of node.children) {
      switch (child.type) {
        case 'file_descriptor':
        case '<<':
        case '<<-':
          cover(child);
          break;
        case 'heredoc_start':
          cover(child);
          delimiter = child;
          break;
        case 'heredoc_body':
          if (child.children.some(({ type }) => type !== 'heredoc_content')) refuse();
          cover(child);
          break;
        case 'heredoc_end':
          cover(child);
          parts.push(partOf('document', delimiter ?? child, { start: child.end, end: child.end }));
          break;
        default:
          visitRedirectPart(child);
      }
    }
    if (node.type !== 'heredoc_redirect')
      parts.push(partOf('redirect', { start: node.start, end }));

    function visitRedirectPart(child: SyntaxNode): void {
      if (/^[<>&|-]+$/.test(child.type) && node.type !== 'heredoc_redirect') {
        cover(child);
        end = child.end;
        hasTarget = child.type.endsWith('-');
      } else if (WORDS.has(child.type) || PARAMETERS.has(child.type)) {
        if (node.type === 'heredoc_redirect' || hasTarget) {
          if (command === undefined) refuse();
          else takeWord(child, command);
          return;
        }
        takeParts(child);
        end = child.end;
        hasTarget = true;
      } else if (node.type !== 'heredoc_redirect') refuse();
      else if (!child.isNamed && MARKS.has(child.type)) takeMark(child);
      else if (REDIRECTS.has(child.type)) visitRedirect(child, command);
      else visit(child);
    }
  }

  /**
   * Nothing in it is expanded, or parameters only where places for them are given. The grammar takes a dollar before a
   * blank for an expansion, which it is not.
   */
  function isPlainWord(node: SyntaxNode, parameters?: Span[]): boolean {
    const { type, children, start, end } = node;
    switch (type) {
      case 'simple_expansion':
      case 'expansion':
        parameters?.push(node);
        return (
          parameters !== undefined &&
          PARAMETER_PARTS.test(children.map((child) => child.type).join(' ')) &&
          children.every((child) => child.children.length === 0)
        );
      case 'string':
        return (
          source[start] === '"' &&
          source[end - 1] === '"' &&
          children.every((child) =>
            PARAMETERS.has(child.type)
              ? /^\$[ \t]/.test(source.slice(child.start, child.end)) ||
                isPlainWord(child, parameters)
              : /^(?:"|\$|string_content)$/.test(child.type),
          )
        );
      case 'concatenation':
        return children.every(
          (child) =>
            (WORDS.has(child.type) || PARAMETERS.has(child.type)) && isPlainWord(child, parameters),
        );
      case 'variable_assignment':
        return children.every(
          (child) =>
            child.type === 'variable_name' ||
            /^\+?=$/.test(child.type) ||
            (WORDS.has(child.type) && isPlainWord(child)),
        );
      default:
        return children.length === 0;
    }
  }
}
