import type { Span } from '../words/shell-token.js';
import type { SyntaxNode } from './syntax-node.js';

/** Types of nodes that are words. */
export const WORDS: ReadonlySet<string> = new Set(
  'word number string raw_string ansi_c_string concatenation extglob_pattern $'.split(' '),
);
export const PARAMETERS: ReadonlySet<string> = new Set(['simple_expansion', 'expansion']);
/** The parts of a parameter that is expanded without changes. */
const PARAMETER_PARTS = /^(?:\$ (?:variable_name|special_variable_name)|\$\{ variable_name \})$/;

/**
 * Whether a word of a syntax tree expands nothing. If `parameters` is given, plain parameters are collected there and
 * allowed. The grammar takes a dollar before a blank for an expansion; the shell does not.
 */
export function isPlainWord(source: string, node: SyntaxNode, parameters?: Span[]): boolean {
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
              isPlainWord(source, child, parameters)
            : /^(?:"|\$|string_content)$/.test(child.type),
        )
      );
    case 'concatenation':
      return children.every(
        (child) =>
          (WORDS.has(child.type) || PARAMETERS.has(child.type)) &&
          isPlainWord(source, child, parameters),
      );
    case 'variable_assignment':
      return children.every(
        (child) =>
          child.type === 'variable_name' ||
          /^\+?=$/.test(child.type) ||
          (WORDS.has(child.type) && isPlainWord(source, child)),
      );
    default:
      return children.length === 0;
  }
}
