// Schemas of the results of the tools for files. Each is made when it is first used.
import { z } from 'zod';
import type { DiffHunk } from '../../core/text/diff-hunks.js';
import type { EditOutput } from './edit.js';
import type { GlobOutput } from './glob.js';
import type { GrepOutput } from './grep.js';
import type { MultiEditOutput } from './multi-edit.js';
import type { NotebookEditOutput } from './notebook-edit.js';
import type { ReadOutput } from './read-output.js';
import type { ShownImage } from './show-image.js';
import type { WriteOutput } from './write.js';

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

/** Result of Edit. */
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

/** Result of MultiEdit. */
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

/** Result of Write. */
export const WriteResult: z.ZodType<WriteOutput> = z.lazy(() =>
  z.object({
    filePath: text,
    bytesWritten: count,
    created: truth,
    previousSize: count.exactOptional(),
    diff: Diff.exactOptional(),
  }),
);

/** Result of NotebookEdit. */
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

/** Result of Glob. */
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

/** Result of Grep. */
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
const Picture: z.ZodType<ShownImage> = z.lazy(() => z.object(picture));

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
