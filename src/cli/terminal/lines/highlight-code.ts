import { common, createLowlight } from 'lowlight';
import type { Style, StyledLine } from '../../output/output-writer.js';
import type { Line } from './line.js';

type Node = ReturnType<ReturnType<typeof createLowlight>['highlight']>['children'][number];

const languages = createLowlight(common);
/** Longer code stays plain: a person does not read it here. */
const MOST_CHARACTERS = 100_000;

/** Styles of the kinds of words, by the end of the name that the library gives them. */
const STYLES: Readonly<Record<string, Style>> = {
  keyword: 'keyword',
  literal: 'number',
  number: 'number',
  string: 'string',
  regexp: 'string',
  comment: 'quiet',
  quote: 'quiet',
  title: 'name',
  built_in: 'name',
  type: 'name',
  tag: 'keyword',
  attr: 'name',
  attribute: 'name',
  section: 'heading',
  addition: 'added',
  deletion: 'removed',
  meta: 'quiet',
};

/** Code as lines with the colours of its language; undefined for an unknown language. */
export function highlightCode(code: string, language: string): readonly Line[] | undefined {
  const [name = ''] = language.toLowerCase().split(/[\s{,]/);
  if (!languages.registered(name) || code.length > MOST_CHARACTERS) return undefined;
  const lines: StyledLine[][] = [[]];
  const add = (nodes: readonly Node[], style: Style | undefined): void => {
    for (const node of nodes) {
      if (node.type === 'element') add(node.children, styleOf(node.properties.className) ?? style);
      if (node.type !== 'text') continue;
      for (const [index, text] of node.value.split('\n').entries()) {
        if (index > 0) lines.push([]);
        if (text !== '') lines.at(-1)?.push({ text, ...(style !== undefined && { style }) });
      }
    }
  };
  add(languages.highlight(name, code).children, undefined);
  return lines;
}

function styleOf(names: unknown): Style | undefined {
  const [first] = Array.isArray(names) ? (names as readonly unknown[]) : [];
  return STYLES[String(first).replace('hljs-', '')];
}
