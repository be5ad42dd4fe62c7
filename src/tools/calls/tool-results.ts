/**
 * Results of the built-in tools for programs: success or error, with the facts of the tool. Of an error only the message
 * is there.
 */
import type { DiffHunk } from '../../core/text/diff-hunks.js';
import type { ReadToolResult } from './read-result.js';
import type { GivenOutcome, ToolError, ToolOutcome, ToolSuccess } from './tool-outcome.js';

/** Result of Write. */
export type WriteToolResult =
  | (ToolSuccess & {
      /** Absolute path of the file, links resolved. */
      readonly filePath: string;
      /** Number of bytes. */
      readonly bytesWritten: number;
      /** Whether the file is new. */
      readonly created: boolean;
      /** Size of the file before, in bytes; absent for a new file. */
      readonly previousSize?: number;
      /** The change line by line; absent if the file was not text, or is too large to compare. */
      readonly diff?: readonly DiffHunk[];
    })
  | ToolError;

/** Result of Edit. */
export type EditToolResult =
  | (ToolSuccess & {
      /** Absolute path of the file, links resolved. */
      readonly filePath: string;
      /** Number of replacements. */
      readonly replacements: number;
      /** The line of each replacement in the new file, counted from 1. */
      readonly modifiedLines: readonly number[];
      /** The change line by line; absent if the file is too large to compare. */
      readonly diff?: readonly DiffHunk[];
      /** Number of lines that are new. */
      readonly additions: number;
      /** Number of lines that are gone. */
      readonly deletions: number;
      /** Whether every occurrence was to be replaced. */
      readonly replaceAll: boolean;
      /** Whether the file is new. */
      readonly created: boolean;
    })
  | ToolError;

/** Result of MultiEdit. */
export type MultiEditToolResult =
  | (ToolSuccess & {
      /** Number of files. */
      readonly filesModified: number;
      /** Number of edits. */
      readonly totalEdits: number;
      /** Absolute paths of the files. */
      readonly modifiedFiles: readonly string[];
      /** One entry for each edit, in their order. */
      readonly editResults: readonly {
        /** Absolute path of the file. */
        readonly filePath: string;
        /** True: all edits are made, or none. */
        readonly success: boolean;
        /** Number of replacements. */
        readonly replacements: number;
      }[];
    })
  | ToolError;

/** Result of Glob. */
export type GlobToolResult =
  | (ToolSuccess & {
      /** Absolute paths, most recently modified first. */
      readonly files: readonly string[];
      /** Number of matches, also of those that are not listed. */
      readonly count: number;
      /** The pattern. */
      readonly pattern: string;
      /** Absolute path of the folder. */
      readonly searchPath: string;
      /** Whether there are more files than were returned. */
      readonly truncated: boolean;
    })
  | ToolError;

/** Result of Grep. */
export type GrepToolResult =
  | (ToolSuccess & {
      /** Matches in the order of their paths. */
      readonly matches: readonly {
        /** Absolute path of the file. */
        readonly file: string;
        /** Number of the line, counted from 1. */
        readonly line?: number | undefined;
        /** Text of the line. */
        readonly content?: string | undefined;
        /** Number of matches in the file. */
        readonly count?: number | undefined;
        /** True: the line is shown around a match. */
        readonly isContext?: boolean | undefined;
      }[];
      /** Number of lines, files or matches. */
      readonly totalMatches: number;
      /** Number of files. */
      readonly filesWithMatches: number;
      /** Kind of the output. */
      readonly outputMode: 'content' | 'files_with_matches' | 'count';
      /** Whether there are more results than were returned. */
      readonly truncated: boolean;
      /** The regular expression. */
      readonly pattern: string;
    })
  | ToolError;

/** Result of LSP. */
export type LSPToolResult =
  | (ToolSuccess & {
      /** Absolute path of the file, links resolved. */
      readonly filePath: string;
      /** The answer as text. */
      readonly result: string;
      /** Number of places, symbols or problems. */
      readonly resultCount: number;
      /** Number of files with results. */
      readonly fileCount: number;
    })
  | ToolError;

/** Result of Bash. */
export type BashToolResult = ToolOutcome & {
  /** Exit code; absent if a signal ended the command. */
  readonly exitCode?: number | undefined;
  /** Standard output. */
  readonly stdout?: string | undefined;
  /** Standard error. */
  readonly stderr?: string | undefined;
  /** ID of the command in the background. */
  readonly bash_id?: string | undefined;
  /** Duration in ms. */
  readonly duration?: number | undefined;
  /** Whether the command ran in the sandbox. */
  readonly sandboxed?: boolean | undefined;
  /** The folder of the next command. */
  readonly cwd?: string | undefined;
};

/** Result of BashOutput. */
export type BashOutputToolResult = BashToolResult & {
  /** Whether the command still runs. */
  readonly running?: boolean;
  /** The state of the command. */
  readonly status?: 'running' | 'completed' | 'failed';
  /** Start of the command, epoch ms. */
  readonly startTime?: number;
};

/** Result of WebFetch. */
export type WebFetchToolResult =
  | (ToolSuccess & {
      /** The address as given. */
      readonly url: string;
      /** The answer to the question about the page. */
      readonly analysis: string;
      /** Status of the HTTP response. */
      readonly statusCode: number;
      /** Media type of the page; absent if a redirect was not followed. */
      readonly contentType?: string | undefined;
      /** Whether another address answered, or is to be fetched next. */
      readonly redirected: boolean;
      /** The address that answered, or the one to fetch next. */
      readonly finalUrl: string;
    })
  | ToolError;

/** Result of WebSearch. */
export type WebSearchToolResult =
  | (ToolSuccess & {
      /** The query of the search. */
      readonly query: string;
      /** The pages that were found. */
      readonly results: readonly {
        /** Title of the page. */
        readonly title: string;
        /** Address of the page. */
        readonly url: string;
        /** A passage of the page. */
        readonly snippet: string;
        /** Host of the page. */
        readonly domain: string;
      }[];
      /** Number of results. */
      readonly resultCount: number;
      /** Only results from these domains were asked for. */
      readonly allowedDomains?: readonly string[] | undefined;
      /** No results from these domains were asked for. */
      readonly blockedDomains?: readonly string[] | undefined;
    })
  | ToolError;

/** Result of Agent. */
export type AgentToolResult = ToolOutcome & {
  /** ID of the agent's conversation. */
  readonly agentId?: string | undefined;
  /** ID of the agent's task. */
  readonly task_id?: string;
  /** Type of the agent. */
  readonly agentType?: string;
  /** Whether the agent runs in the background. */
  readonly background?: boolean;
  /** The state of the agent. */
  readonly status?: 'running' | 'completed';
  /** The last text of the agent. */
  readonly result?: string | undefined;
  /** The model that the call named. */
  readonly model?: string | undefined;
  /** Start of the agent, epoch ms. */
  readonly startTime?: number | undefined;
  /** End of the agent, epoch ms. */
  readonly endTime?: number | undefined;
  /** The time between them, in ms. */
  readonly duration?: number | undefined;
};

/** Result of TaskOutput. */
export type TaskOutputToolResult = ToolOutcome & {
  /** ID of the task. */
  readonly task_id?: string;
  /** The state of the task; a killed task counts as failed. */
  readonly status?: 'running' | 'completed' | 'failed';
  /** Whether the task has completed. */
  readonly completed?: boolean;
  /** The result of the task, if it is text. */
  readonly result?: string | undefined;
};

/** The result of one of the built-in tools. */
export type AnyToolResult =
  | ReadToolResult
  | WriteToolResult
  | EditToolResult
  | MultiEditToolResult
  | GlobToolResult
  | GrepToolResult
  | LSPToolResult
  | BashToolResult
  | BashOutputToolResult
  | WebFetchToolResult
  | WebSearchToolResult
  | AgentToolResult
  | TaskOutputToolResult;

/** Whether the facts are those of a shell command. */
export function isBashResult(result: GivenOutcome): result is BashToolResult {
  return 'exitCode' in result || 'stdout' in result || 'stderr' in result;
}

/** Whether the facts are those of a file. */
export function isFileResult(
  result: GivenOutcome,
): result is Extract<ReadToolResult | WriteToolResult | EditToolResult, ToolSuccess> {
  return 'content' in result || 'filePath' in result || 'bytesWritten' in result;
}

/** Whether the facts are those of a search for text. */
export function isGrepResult(result: GivenOutcome): result is Extract<GrepToolResult, ToolSuccess> {
  return 'matches' in result || 'totalMatches' in result;
}

/** Whether the facts are those of an agent or a task. */
export function isAgentResult(
  result: GivenOutcome,
): result is AgentToolResult | TaskOutputToolResult {
  return 'agentId' in result || 'task_id' in result || 'agentType' in result;
}

/** Whether the facts are those of a page or a search on the web. */
export function isWebResult(
  result: GivenOutcome,
): result is Extract<WebFetchToolResult | WebSearchToolResult, ToolSuccess> {
  return 'url' in result || 'query' in result || 'results' in result;
}

/** Whether the result has a property. */
export function hasProperty<Name extends string>(
  result: GivenOutcome,
  property: Name,
): result is GivenOutcome & Readonly<Record<Name, unknown>> {
  return property in result;
}

/** The output of a success; undefined of an error. */
export function getOutput(result: GivenOutcome): string | undefined {
  return result.output;
}

/** The message of an error; undefined of a success. */
export function getErrorMessage(result: GivenOutcome): string | undefined {
  return result.error;
}
