// Results of the tools for files, and their schemas. A schema is made when it is first used.
import { z } from 'zod';
import type { DiffHunk } from '../../core/text/diff-hunks.js';
import type { FactsOf } from '../calls/facts-of.js';
import type { ReadPicture } from '../calls/read-result.js';
import type {
  EditToolResult,
  GlobToolResult,
  GrepToolResult,
  MultiEditToolResult,
  WriteToolResult,
} from '../calls/tool-results.js';
import type { GrepRecord } from './search/grep-records.js';
import type { ReadOutput } from './read/read-output.js';

const count = z.number();
const truth = z.boolean();
const text = z.string();

const Diff: z.ZodType<readonly DiffHunk[]> = z.lazy(() =>
  z.array(
    z.object({
      oldStart: count,
      oldLines: count,
      newStart: count,
      newLines: count,
      lines: z.array(text),
    }),
  ),
);

export type EditOutput = FactsOf<EditToolResult> & {
  /** Numbered lines around the first replacement. */
  readonly snippet: string;
};
export const EditResult: z.ZodType<EditOutput> = z.lazy(() =>
  z.object({
    filePath: text,
    replacements: count,
    modifiedLines: z.array(count),
    diff: Diff.exactOptional(),
    additions: count,
    deletions: count,
    replaceAll: truth,
    created: truth,
    snippet: text,
  }),
);

export type MultiEditOutput = FactsOf<MultiEditToolResult> & {
  /** One for each file. */
  readonly files: readonly {
    readonly filePath: string;
    readonly created: boolean;
    /** The change line by line; absent if the file is too large to compare. */
    readonly diff?: readonly DiffHunk[];
  }[];
};
export const MultiEditResult: z.ZodType<MultiEditOutput> = z.lazy(() =>
  z.object({
    filesModified: count,
    totalEdits: count,
    modifiedFiles: z.array(text),
    editResults: z.array(
      z.object({ filePath: text, success: z.literal(true), replacements: count }),
    ),
    files: z.array(z.object({ filePath: text, created: truth, diff: Diff.exactOptional() })),
  }),
);

export type WriteOutput = FactsOf<WriteToolResult>;
export const WriteResult: z.ZodType<WriteOutput> = z.lazy(() =>
  z.object({
    filePath: text,
    bytesWritten: count,
    created: truth,
    previousSize: count.exactOptional(),
    diff: Diff.exactOptional(),
  }),
);

export type NotebookEditOutput = {
  readonly notebookPath: string;
  readonly editMode: 'replace' | 'insert' | 'delete';
  readonly cellId: string;
  readonly cellType: 'code' | 'markdown' | 'raw';
  /** The language of the notebook's code cells. */
  readonly language: string;
  /** Number of cells after the change. */
  readonly cellCount: number;
  /** The change of the cell's source line by line; absent if it is too large to compare. */
  readonly diff?: readonly DiffHunk[];
};
export const NotebookEditResult: z.ZodType<NotebookEditOutput> = z.lazy(() =>
  z.object({
    notebookPath: text,
    editMode: z.enum(['replace', 'insert', 'delete']),
    cellId: text,
    cellType: z.enum(['code', 'markdown', 'raw']),
    language: text,
    cellCount: count,
    diff: Diff.exactOptional(),
  }),
);

export type GlobOutput = FactsOf<GlobToolResult> & {
  /** Ignore files exclude all matches, so they were searched too. */
  readonly isIgnored: boolean;
  /** Some folders could not be read. */
  readonly isIncomplete: boolean;
  /** Number of matching files that a permission rule excludes; absent for none. */
  readonly leftOut?: number;
};
export const GlobResult: z.ZodType<GlobOutput> = z.lazy(() =>
  z.object({
    files: z.array(text),
    count,
    pattern: text,
    searchPath: text,
    truncated: truth,
    isIgnored: truth,
    isIncomplete: truth,
    leftOut: count.exactOptional(),
  }),
);

export type GrepOutput = Omit<FactsOf<GrepToolResult>, 'matches'> & {
  /** Ordered by path; paths are absolute. */
  readonly matches: readonly GrepRecord[];
  readonly offset: number;
  /** Some files could not be read. */
  readonly isIncomplete: boolean;
  /** Number of files with results that a permission rule excludes; absent for none. */
  readonly leftOut?: number;
};
export const GrepResult: z.ZodType<GrepOutput> = z.lazy(() =>
  z.object({
    outputMode: z.enum(['content', 'files_with_matches', 'count']),
    matches: z.array(
      z.object({
        file: text,
        line: count.exactOptional(),
        content: text.exactOptional(),
        count: count.exactOptional(),
        isContext: truth.exactOptional(),
        isAfterGap: truth.exactOptional(),
      }),
    ),
    totalMatches: count,
    filesWithMatches: count,
    pattern: text,
    offset: count,
    truncated: truth,
    isIncomplete: truth,
    leftOut: count.exactOptional(),
  }),
);

const picture = { type: z.literal('image'), mediaType: text, data: text };
const Picture: z.ZodType<ReadPicture> = z.lazy(() => z.object(picture));

/** Result of Read. */
export const ReadResult: z.ZodType<ReadOutput> = z.lazy(() => {
  const file = { filePath: text, fileSize: count, fileType: text };
  const part = { truncated: truth, offset: count };
  return z.discriminatedUnion('type', [
    z.object({
      ...file,
      ...part,
      type: z.literal('text'),
      content: text,
      note: text,
      lineCount: count.or(z.undefined()),
      limit: count,
    }),
    z.object({ ...file, ...picture }),
    z.object({
      ...file,
      ...part,
      type: z.literal('notebook'),
      cells: z.array(
        z.object({
          id: text,
          type: z.enum(['code', 'markdown', 'raw']),
          source: text,
          executionCount: count.exactOptional(),
          outputs: z.array(z.union([z.object({ type: z.literal('text'), text }), Picture])),
        }),
      ),
      language: text,
      cellCount: count,
    }),
    z.object({
      ...file,
      ...part,
      type: z.literal('pdf'),
      pages: z.array(z.object({ number: count, text })),
      pageCount: count,
    }),
  ]);
});
