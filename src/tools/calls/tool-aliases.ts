/** Names of inputs and results that programs for another coding agent use. */
import type { ReadToolResult } from './read-result.js';
import type { BashOutputToolResult, BashToolResult, GrepToolResult } from './tool-results.js';
import type * as inputs from '../tool-inputs.js';

/**
 * An older name.
 *
 * @deprecated Use `BashToolResult`.
 */
export type BashResult = BashToolResult;
/**
 * An older name.
 *
 * @deprecated Use `BashOutputToolResult`.
 */
export type BashOutputResult = BashOutputToolResult;
/**
 * An older name.
 *
 * @deprecated Use `ReadToolResult`, `WriteToolResult` or `EditToolResult`.
 */
export type FileResult = ReadToolResult;
/**
 * An older name.
 *
 * @deprecated Use `GrepToolResult`.
 */
export type GrepResult = GrepToolResult;

/**
 * An older name.
 *
 * @deprecated Use `BashInput`.
 */
export type BashToolInput = inputs.BashInput;
/**
 * An older name.
 *
 * @deprecated Use `FileReadInput`.
 */
export type ReadToolInput = inputs.FileReadInput;
/**
 * An older name.
 *
 * @deprecated Use `FileWriteInput`.
 */
export type WriteToolInput = inputs.FileWriteInput;
/**
 * An older name.
 *
 * @deprecated Use `FileEditInput`.
 */
export type EditToolInput = inputs.FileEditInput;
/**
 * An older name.
 *
 * @deprecated Use `GlobInput`.
 */
export type GlobToolInput = inputs.GlobInput;
/**
 * An older name.
 *
 * @deprecated Use `GrepInput`.
 */
export type GrepToolInput = inputs.GrepInput;
/**
 * An older name.
 *
 * @deprecated Use `WebFetchInput`.
 */
export type WebFetchToolInput = inputs.WebFetchInput;
/**
 * An older name.
 *
 * @deprecated Use `WebSearchInput`.
 */
export type WebSearchToolInput = inputs.WebSearchInput;
/**
 * An older name.
 *
 * @deprecated Use `TodoWriteInput`.
 */
export type TodoWriteToolInput = inputs.TodoWriteInput;
/**
 * An older name.
 *
 * @deprecated Use `NotebookEditInput`.
 */
export type NotebookEditToolInput = inputs.NotebookEditInput;
/**
 * An older name.
 *
 * @deprecated Use `AskUserQuestionInput`.
 */
export type AskUserQuestionToolInput = inputs.AskUserQuestionInput;
