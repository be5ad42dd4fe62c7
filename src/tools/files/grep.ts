import { join } from 'node:path';
import { z } from 'zod';
import { amount } from '../../core/text/amount.js';
import { completeTool } from '../complete-tool.js';
import {
  createRecordParser,
  sortRecords,
  type GrepOutputMode,
  type GrepRecord,
} from './search/grep-records.js';
import { Count, FilePath, SearchPattern } from './access/input-fields.js';
import { GrepResult, type GrepOutput } from './output-schemas.js';
import { openRegularFile } from './access/known-file.js';
import { missingFileError } from './access/missing-file.js';
import { createReadFilter, noteLeftOut, type ReadFilter } from './search/read-filter.js';
import { runRipgrep, type RipgrepEnd } from './search/ripgrep.js';
import {
  resolveSearchStart,
  WITHOUT_VERSION_CONTROL,
  withSearchFolder,
  type SearchStart,
} from './search/search-folder.js';
import { ToolInputError } from '../tool-input-error.js';

const DEFAULT_HEAD_LIMIT = 250;
/** More results would hold up the process while they are put together. */
const MOST_RESULTS = 100_000;
const MAX_OUTPUT_CHARS = 16 * 1024 * 1024;
const MAX_LINE_CHARS = 500;
/** Up to this number results are sorted here. For more results ripgrep sorts, because it can be stopped. */
const MAX_UNORDERED = 10_000;

export const GrepInput = z.object({
  pattern: SearchPattern.describe('A regular expression (Rust syntax, as in ripgrep)'),
  path: FilePath.optional().describe(
    'The file or folder to search; the working folder if left out',
  ),
  glob: SearchPattern.optional().describe('Only files that match this glob: "*.ts", "!*.test.ts"'),
  type: SearchPattern.optional().describe(
    'Only files of this type, as ripgrep names them: js, py, rust',
  ),
  output_mode: z
    .enum(['content', 'files_with_matches', 'count'])
    .optional()
    .describe('Matching lines, paths of files (if left out), or matches a file'),
  '-A': Count.optional().describe('Lines to show after each match; output_mode content'),
  '-B': Count.optional().describe('Lines to show before each match; output_mode content'),
  '-C': Count.optional().describe('Lines to show before and after each match; output_mode content'),
  '-n': z.boolean().optional().describe('Show line numbers; true if left out'),
  '-i': z.boolean().optional().describe('Ignore case'),
  '-o': z.boolean().optional().describe('Show only the matching part of each line'),
  head_limit: Count.optional().describe(
    `How many lines, files or counts to return; ${DEFAULT_HEAD_LIMIT} if left out, 0 for all, at most ${amount(MOST_RESULTS, 'result')}`,
  ),
  offset: Count.optional().describe('How many results to skip'),
  multiline: z.boolean().optional().describe('Let a match span lines, and "." match line breaks'),
});
export type GrepInput = z.infer<typeof GrepInput>;

/**
 * Searches files with ripgrep: ignore files apply, hidden files are searched, binary files are not. Results are in the
 * order of their paths, so that `offset` continues after `head_limit`. Ripgrep is stopped once there are enough
 * results.
 */
export const GrepTool = completeTool({
  name: 'Grep',
  searchHint: 'search file contents by regular expression',
  inputSchema: GrepInput,
  outputSchema: GrepResult,
  prompt: () =>
    [
      'Searches the content of files for a regular expression, with ripgrep. Use it instead of grep or rg in Bash.',
      'output_mode: "files_with_matches" gives paths (the default), "content" gives lines, "count" gives matches a file. Narrow the search with path, glob or type.',
      'Rust syntax: escape braces to match them (interface\\{\\}). Patterns match within one line unless multiline is true.',
      `At most ${DEFAULT_HEAD_LIMIT} results unless head_limit says otherwise; continue with offset.`,
    ].join('\n'),
  description: ({ pattern }) => `Search for ${pattern}`,
  isReadOnly: () => true,
  isConcurrencySafe: () => true,
  permissionTarget: ({ path = '.' }) => ({
    kind: 'paths',
    paths: [{ path, access: 'read', isTree: true }],
  }),

  async call(input, context): Promise<{ data: GrepOutput }> {
    const { signal } = context.call.abortController;
    signal.throwIfAborted();
    const start = await resolveSearchStart(context.files, input.path ?? '.');
    const {
      head_limit = DEFAULT_HEAD_LIMIT,
      offset = 0,
      output_mode = 'files_with_matches',
    } = input;
    const limit = Math.min(head_limit || Infinity, MOST_RESULTS);
    // Search unordered first, because that uses all processors, and for many more results than needed, to sort them
    // here. If there are still more results, the part that came is random. Then search for the wanted ones in order,
    // which is fast.
    let filter = createReadFilter(context.files, start);
    const whole = { flags: [], skip: 0, most: MAX_UNORDERED };
    let found = await search(input, start, { ...whole, signal, filter });
    let matches: readonly GrepRecord[];
    let { isMore } = found;
    if (isMore) {
      filter = createReadFilter(context.files, start);
      const part = { flags: ['--sort=path'], skip: offset, most: limit };
      found = await search(input, start, { ...part, signal, filter });
      ({ isMore, records: matches } = found);
    } else {
      const records = sortRecords(found.records);
      matches = records.slice(offset, offset + limit);
      isMore = records.length > offset + limit;
    }
    const hits = matches.filter((record) => record.isContext !== true && record.file !== '');
    return {
      data: {
        outputMode: output_mode,
        matches: input['-n'] === false ? matches.map(({ line: _, ...record }) => record) : matches,
        totalMatches: hits.reduce((sum, record) => sum + (record.count ?? 1), 0),
        filesWithMatches: new Set(hits.map((record) => record.file)).size,
        pattern: input.pattern,
        offset,
        truncated: isMore,
        isIncomplete: found.isIncomplete,
        ...(filter.leftOut > 0 && { leftOut: filter.leftOut }),
      },
    };
  },

  present: ({ outputMode, totalMatches, filesWithMatches }) => ({
    kind: 'summary',
    text:
      outputMode === 'files_with_matches'
        ? amount(filesWithMatches, 'file')
        : `${amount(totalMatches, 'match', 'matches')} in ${amount(filesWithMatches, 'file')}`,
  }),
  mapToolResultToToolResultBlockParam: (output: GrepOutput, toolUseId) => ({
    type: 'tool_result',
    tool_use_id: toolUseId,
    content: formatGrepOutput(output),
  }),
});

async function search(
  input: GrepInput,
  start: SearchStart,
  {
    flags,
    skip,
    most,
    signal,
    filter,
  }: {
    readonly flags: readonly string[];
    /** Results before the first one that is kept. */
    readonly skip: number;
    readonly most: number;
    readonly signal: AbortSignal;
    readonly filter: ReadFilter;
  },
): Promise<{ records: readonly GrepRecord[]; isMore: boolean; isIncomplete: boolean }> {
  const mode = input.output_mode ?? 'files_with_matches';
  const { folder, file } = start;
  const parse = createRecordParser(mode, (name) => join(folder, file ?? name));
  const records: GrepRecord[] = [];
  let left = skip;
  let chars = 0;
  let isMore = false;
  const { complaint, isIncomplete } = await runOn(start, {
    args: [...flags, ...toArguments(input, mode)],
    separator: mode === 'files_with_matches' ? '\0' : '\n',
    signal,
    onRecord: (text) => {
      const record = parse(text);
      if (record === undefined) return true;
      if (record.file !== '' && !filter.allows(record.file)) return true;
      if (left > 0) {
        left -= 1;
        return true;
      }
      chars += text.length;
      isMore = records.length >= most || chars > MAX_OUTPUT_CHARS;
      if (!isMore) records.push(record);
      return !isMore;
    },
  });
  if (complaint === undefined) return { records, isMore, isIncomplete };
  throw new ToolInputError('Grep', `The search failed: ${complaint.slice(0, 1_000)}`);
}

/** Run ripgrep on the folder, or on the open file as its stdin: a path could lead elsewhere by now. */
async function runOn(
  start: SearchStart,
  run: Omit<Parameters<typeof runRipgrep>[0], 'cwd'>,
): Promise<RipgrepEnd> {
  const ends = (where: string) => ({ ...run, args: [...run.args, '--', where] });
  if (start.file === undefined)
    return withSearchFolder(start, (cwd) => runRipgrep({ ...ends('./'), cwd }));
  const opened = await openRegularFile(start.real);
  if (opened === undefined) throw await missingFileError(start.real, start.folder);
  try {
    return await runRipgrep({ ...ends('-'), cwd: '/', input: opened.handle });
  } finally {
    await opened.handle.close();
  }
}

function toArguments(input: GrepInput, mode: GrepOutputMode): readonly string[] {
  const args = ['--hidden', '--null', '--with-filename', `--regexp=${input.pattern}`];
  if (input.glob !== undefined) args.push(`--glob=${input.glob}`);
  args.push(WITHOUT_VERSION_CONTROL);
  if (input.type !== undefined) args.push(`--type=${input.type}`);
  if (input['-i'] === true) args.push('--ignore-case');
  if (input.multiline === true) args.push('--multiline', '--multiline-dotall');
  switch (mode) {
    case 'files_with_matches':
      return [...args, '--files-with-matches'];
    case 'count':
      return [...args, input['-o'] === true ? '--count-matches' : '--count'];
    case 'content': {
      args.push('--no-heading', '--line-number');
      args.push(`--max-columns=${MAX_LINE_CHARS}`, '--max-columns-preview');
      if (input['-o'] === true) args.push('--only-matching');
      if (input['-C'] !== undefined) args.push(`--context=${input['-C']}`);
      if (input['-A'] !== undefined) args.push(`--after-context=${input['-A']}`);
      if (input['-B'] !== undefined) args.push(`--before-context=${input['-B']}`);
      return args;
    }
    default:
      return mode satisfies never;
  }
}

/** Format as grep does: `path:line:text` for a match, `path-line-text` around it, `--` for omitted lines. */
function formatGrepOutput(output: GrepOutput): string {
  const { outputMode, matches, offset, truncated, isIncomplete, totalMatches, filesWithMatches } =
    output;
  const lines: string[] = [];
  for (const { file, line, content, count, isContext, isAfterGap } of matches) {
    if (isAfterGap === true) lines.push('--');
    const mark = isContext === true ? '-' : ':';
    const parts = [file, line ?? count, content].filter(
      (part) => part !== undefined && part !== '',
    );
    lines.push(parts.join(mark) + (content === '' ? mark : ''));
  }
  if (matches.length === 0)
    lines.push(offset > 0 ? `No results after offset ${offset}.` : 'No matches found.');
  else if (outputMode === 'count') {
    lines.push(`[${totalMatches} matches in ${filesWithMatches} files]`);
  }
  if (truncated) {
    const next = offset + matches.length;
    lines.push(
      `[Results ${offset + 1}-${next}; there are more. Continue with offset ${next}, or narrow the search.]`,
    );
  }
  if (isIncomplete) lines.push('[Some files could not be read.]');
  return [...lines, noteLeftOut(output.leftOut)].filter((line) => line !== undefined).join('\n');
}
