import type MiniSearch from 'minisearch';
import { nearestName } from '../../core/text/nearest-name.js';
import type { DeferredTool } from '../deferred-tool.js';

/** The tools that a query finds. */
export type FoundTools = {
  /** Names of the tools, best first. */
  readonly matches: readonly string[];
  /** Names that the query selects and no tool has. */
  readonly notFound: readonly string[];
};

/**
 * Find tools. `select:A,B` names tools; `+word` is a word that their names must have; all other words rank by name, hint
 * and description.
 */
export async function findTools(
  tools: readonly DeferredTool[],
  query: string,
  most: number,
): Promise<FoundTools> {
  const selected = /^select:(.*)$/s.exec(query)?.[1];
  if (selected !== undefined) return selectTools(tools, selected);
  return { matches: await rankTools(tools, query, most), notFound: [] };
}

async function rankTools(
  tools: readonly DeferredTool[],
  query: string,
  most: number,
): Promise<readonly string[]> {
  const words = query.split(/\s+/).filter((word) => word !== '');
  const required = words.filter(isRequired).flatMap((word) => wordsOf(word.slice(1)));
  const others = words.filter((word) => !isRequired(word));
  const left = tools.filter(({ name }) => {
    const own = new Set(wordsOf(name));
    return required.every((word) => own.has(word));
  });
  if (others.length === 0) return left.slice(0, most).map(({ name }) => name);
  const index = await indexOf(left);
  const found = index.search(others.join(' ')).map(({ id }) => id as string);
  const rest = required.length === 0 ? [] : left.map(({ name }) => name); // they have what they must have
  return [...new Set([...found, ...rest])].slice(0, most);
}

function isRequired(word: string): boolean {
  return word.startsWith('+') && word.length > 1;
}

/** Most names of one query that are compared with all others: each takes long if there are thousands. */
const MOST_CORRECTED = 5;
/** Longest word that finds similar ones. */
const LONGEST_SIMILAR = 64;

/** The first few names that are written slightly wrong select the tool that is meant. */
function selectTools(tools: readonly DeferredTool[], list: string): FoundTools {
  const names = tools.map(({ name }) => name);
  const byLowerCase = new Map(names.map((name) => [name.toLowerCase(), name]));
  let corrected = 0;
  const matches = new Set<string>();
  const notFound = new Set<string>();
  const wantedNames = list.split(',').map((part) => part.trim());
  for (const wanted of wantedNames.filter((name) => name !== '')) {
    const known = byLowerCase.get(wanted.toLowerCase());
    if (known === undefined) corrected += 1;
    const name = known ?? (corrected > MOST_CORRECTED ? undefined : nearestName(wanted, names));
    if (name === undefined) notFound.add(wanted);
    else matches.add(name);
  }
  return { matches: [...matches], notFound: [...notFound] };
}

async function indexOf(tools: readonly DeferredTool[]): Promise<MiniSearch<DeferredTool>> {
  const { default: Index } = await import('minisearch');
  const index = new Index<DeferredTool>({
    idField: 'name',
    fields: ['name', 'searchHint', 'description'],
    tokenize: wordsOf,
    processTerm: (word) => (STOP_WORDS.has(word) ? null : stemOf(word)),
    searchOptions: {
      boost: { name: 3, searchHint: 2 },
      prefix: (term) => term.length > 3,
      fuzzy: (term) => (term.length > 5 && term.length <= LONGEST_SIMILAR ? 0.15 : false),
    },
  });
  index.addAll(tools);
  return index;
}

/** `mcp__pull-requests__getReview` has the words pull, requests, get and review. */
function wordsOf(text: string): string[] {
  return text
    .replace(/^mcp__/, '')
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

/** Plurals, and the forms of verbs that only differ at the end, are one word. */
function stemOf(word: string): string {
  return word.length < 5 ? word : word.replace(/(?:ing|ed|es|s)$/, '');
}

const STOP_WORDS: ReadonlySet<string> = new Set(
  'a an and are as at be by can do for from has have i if in into is it its me my of on or our so that the their this to use was we what which who with you your'.split(
    ' ',
  ),
);
