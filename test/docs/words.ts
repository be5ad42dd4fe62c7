import { execFileSync } from 'node:child_process';
import { extname } from 'node:path';
import { parseSync, Visitor } from 'rolldown/utils';
import { readText, root } from './pages.js';

/** A phrase that no text has, and what to write instead. */
type BannedPhrase = { readonly phrase: RegExp; readonly write: string };

/** The words before a "where" that is about a place. */
const BEFORE_PLACES =
  'places?|folder|file|line|position|point|step|see|says?|shows?|knows?|tells?|finds?|decides?|is|from|to|exactly|about|and|continues?|resumes?';

const BANNED: readonly BannedPhrase[] = [
  ban(/(go|goes|going|gone|went) on/, 'resume, continue'),
  ban(/(tell|tells|told) of/, 'report'),
  ban(
    /(is|are|was|were|be|been|being) told/,
    'a named subject: "the model sees", "stderr reports"',
  ),
  ban(/(is|are|was|were|be|been) looked (at|into)/, 'check, read'),
  ban(/(?<!there )(is|are|was|were) none/, 'there is no X, X is invalid'),
  ban(/that there (is|are) not/, 'unknown, missing'),
  ban(/whoever|whomever/, 'name the subject: the approver, the caller, the parent'),
  ban(/for good(?! reason)/, 'remembered, permanently'),
  ban(
    /(?<!instead )of (its|their|his|her|your|our|my) own(?=\s*(?:[^\s\w]|$|(?:and|or|on|in|at|for|to|with|from|that|is|are|has)\b))/,
    'its own X, your own X',
  ),
  ban(/(no|without|needs|need|give|gives|given|got|gets) leave/, 'approval, permission'),
  ban(/at rest|rests|resting/, 'idle, waiting for a retry'),
  ban(/be had|to be had/, 'available'),
  ban(/but for/, 'except'),
  ban(/counts? for nothing/, 'is ignored'),
  ban(/so many in a row/, 'consecutive'),
  ban(/what only reads/, 'read-only tools and commands'),
  ban(/(stand|stands|stood) (in|on|at|by|there|beside|behind|between|below|above|under)/, 'is'),
  ban(/whereupon|thereof|whereof|therein|lest|for want of/, 'a sentence for each fact'),
  {
    // Places: "the folder where it runs", "says where", a heading or a cell of a table that is this word.
    phrase: new RegExp(
      `\\bwhere(?<!(?:\\b(?:${BEFORE_PLACES})\\s+|[#|] ).{5})(?!\\w|\\s*[-|:=(}.?"]| (?:to|things)\\b)`,
      'giu',
    ),
    write: 'if ("where" is for places)',
  },
];

/** Words that no comment begins with: they point at a subject that is not named. */
const UNNAMED_SUBJECT = /^(It|Its|They|Their|That|Those|What|Whose|Of|Whether (?:it|they))\b/;

export type Finding = {
  readonly path: string;
  readonly line: number;
  readonly found: string;
  readonly write: string;
};

/** Everything that users, contributors and models read: pages, examples, and the source. */
export function textFiles(): readonly string[] {
  const listed = ['*.md', 'bench', 'docs', 'examples', 'scripts', 'src', ':!test'];
  return filesOf(listed).filter((path) =>
    ['.md', '.ts', '.tsx', '.mjs', '.js', '.yaml'].includes(extname(path)),
  );
}

/** All tests, for their titles and comments. The test of this search quotes the phrases. */
export function testFiles(): readonly string[] {
  return filesOf(['test/*.ts', ':!test/docs/words.test.ts']);
}

function filesOf(patterns: readonly string[]): readonly string[] {
  const listed = execFileSync('git', ['ls-files', ...patterns], { cwd: root, encoding: 'utf8' });
  return listed.trim().split('\n');
}

/** Every banned phrase of a file of this repository. */
export function findingsIn(path: string): readonly Finding[] {
  return findingsOf(path, readText(path));
}

/** Every banned phrase of a text. Of code only comments and strings are read. */
export function findingsOf(path: string, text: string): readonly Finding[] {
  const isCode = ['.ts', '.tsx', '.mjs', '.js'].includes(extname(path));
  const { prose, comments } = isCode
    ? proseOf(path, text)
    : { prose: withoutCodeSpans(text), comments: [] };
  const phrases = BANNED.flatMap(({ phrase, write }) =>
    [...prose.matchAll(phrase)].map(({ index, 0: found }) => ({ index, found, write })),
  );
  const beginnings = comments.flatMap(({ index, start }) => {
    const found = UNNAMED_SUBJECT.exec(start)?.[0];
    return found === undefined ? [] : [{ index, found, write: 'a comment names its subject' }];
  });
  return [...phrases, ...beginnings]
    .toSorted((a, b) => a.index - b.index)
    .map(({ index, found, write }) => ({
      path,
      line: text.slice(0, index).split('\n').length,
      found: found.replaceAll(/\s+/g, ' '),
      write,
    }));
}

function ban(words: RegExp, write: string): BannedPhrase {
  const source = words.source.replaceAll(' ', '\\s+');
  return { phrase: new RegExp(`\\b(?:${source})\\b`, 'giu'), write };
}

/** A page without the names in backquotes, which are not words. */
function withoutCodeSpans(page: string): string {
  return page.replaceAll(/(?<!`)`[^`\n]+`(?!`)/g, (span) => '`'.padEnd(span.length, '`'));
}

type Span = {
  readonly start: number;
  readonly end: number;
  readonly kind: 'block' | 'line' | 'string';
};

/**
 * The text of a source file with everything blanked that is not prose: what is left keeps its place. A phrase that is
 * broken between two lines of a comment, or two parts of a string, reads as one.
 */
function proseOf(
  path: string,
  text: string,
): {
  readonly prose: string;
  readonly comments: readonly { readonly index: number; readonly start: string }[];
} {
  const spans = spansOf(path, text);
  const starts: { index: number; start: string }[] = [];
  let prose = '';
  let last: Span | undefined;
  for (const span of spans) {
    const gap = text.slice(prose.length, span.start);
    const isJoined = span.kind !== 'block' && last?.kind === span.kind && /^[\s'"`+/]*$/.test(gap);
    prose += (isJoined ? ' ' : '\0').repeat(gap.length);
    const words = text
      .slice(span.start, span.end)
      .replaceAll(/^\s*\*+|\*+$/gm, (mark) => ' '.repeat(mark.length));
    prose += words;
    if (span.kind !== 'string' && !isJoined) {
      starts.push({ index: span.start, start: words.trim() });
    }
    last = span;
  }
  return { prose, comments: starts };
}

function spansOf(path: string, text: string): readonly Span[] {
  const { program, comments, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0]?.message}`);
  const spans: Span[] = comments.map(({ start, end, type }) => ({
    start: start + 2,
    end: type === 'Block' ? end - 2 : end,
    kind: type === 'Block' ? ('block' as const) : ('line' as const),
  }));
  /** Names of events, flags and modules are not words. */
  const addString = ({ start, end }: { start: number; end: number }): void => {
    if (/\S\s+\S/.test(text.slice(start, end))) spans.push({ start, end, kind: 'string' });
  };
  new Visitor({
    Literal(node) {
      if (typeof node.value === 'string') addString({ start: node.start + 1, end: node.end - 1 });
    },
    TemplateElement: addString,
  }).visit(program);
  return spans.toSorted((a, b) => a.start - b.start);
}
