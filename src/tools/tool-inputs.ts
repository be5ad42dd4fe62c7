/**
 * Inputs of the built-in tools, as a model or a program writes them. The tools' schemas check them; a test holds both
 * equal.
 */
import type { PermissionMode } from '../core/permission-types.js';
import type { LspPlaceOperation } from './capabilities/language-servers.js';
import type { TodoItem } from '../core/tasks/todo.js';

/** Input of Read. */
export type FileReadInput = {
  /** The file: an absolute path, or one relative to the working folder. */
  readonly file_path: string;
  /** First line to read, counted from 1. */
  readonly offset?: number | undefined;
  /** Most lines to read; 2,000 if absent. */
  readonly limit?: number | undefined;
  /** Pages of a PDF, such as `3` or `1-5`. */
  readonly pages?: string | undefined;
};

/** Input of Write. */
export type FileWriteInput = {
  /** The file: an absolute path, or one relative to the working folder. */
  readonly file_path: string;
  /** The whole new content. */
  readonly content: string;
};

/** Input of Edit. */
export type FileEditInput = {
  /** The file: an absolute path, or one relative to the working folder. */
  readonly file_path: string;
  /** The text to replace, exactly as it is in the file. */
  readonly old_string: string;
  /** The text in its place. */
  readonly new_string: string;
  /** Whether every occurrence is replaced; false if absent. */
  readonly replace_all?: boolean | undefined;
};

/** Input of MultiEdit. */
export type MultiEditInput = {
  /** The file of the edits that name none: an absolute path, or one relative to the working folder. */
  readonly file_path?: string | undefined;
  /** The edits, made in this order: all of them or none. */
  readonly edits: readonly {
    /** The file of this edit, if it is another one. */
    readonly file_path?: string | undefined;
    /** The text to replace, exactly as it is in the file. */
    readonly old_string: string;
    /** The text in its place. */
    readonly new_string: string;
    /** Whether every occurrence is replaced; false if absent. */
    readonly replace_all?: boolean | undefined;
  }[];
  /** Purpose of the edits, for people. */
  readonly description?: string | undefined;
};

/** Input of Glob. */
export type GlobInput = {
  /** Glob pattern, such as `src/**\/*.ts`. */
  readonly pattern: string;
  /** The folder to search; the working folder if absent. */
  readonly path?: string | undefined;
};

/** Input of Grep. */
export type GrepInput = {
  /** Regular expression in the syntax of ripgrep. */
  readonly pattern: string;
  /** The file or folder to search; the working folder if absent. */
  readonly path?: string | undefined;
  /** Search only files that match this glob. */
  readonly glob?: string | undefined;
  /** Search only files of this type, as ripgrep names them. */
  readonly type?: string | undefined;
  /** Matching lines, paths of files (if absent), or number of matches by file. */
  readonly output_mode?: 'content' | 'files_with_matches' | 'count' | undefined;
  /** Lines after each match. */
  readonly '-A'?: number | undefined;
  /** Lines before each match. */
  readonly '-B'?: number | undefined;
  /** Lines before and after each match. */
  readonly '-C'?: number | undefined;
  /** Whether lines have numbers; true if absent. */
  readonly '-n'?: boolean | undefined;
  /** Ignore case. */
  readonly '-i'?: boolean | undefined;
  /** Show only the matching part of each line. */
  readonly '-o'?: boolean | undefined;
  /** Most results; 0 for all. */
  readonly head_limit?: number | undefined;
  /** Number of results to skip. */
  readonly offset?: number | undefined;
  /** Whether a match may span lines. */
  readonly multiline?: boolean | undefined;
};

/** Input of ListMcpResources. */
export type ListMcpResourcesInput = {
  /** Only the resources of this server; of all if absent. */
  readonly server?: string | undefined;
  /** Ask the servers again. */
  readonly refresh?: boolean | undefined;
};

/** Input of ReadMcpResource. */
export type ReadMcpResourceInput = {
  /** The name of the server. */
  readonly server: string;
  /** The address of the resource. */
  readonly uri: string;
};

/** Input of LSP. */
export type LSPInput = {
  /** The question for the language server. */
  readonly operation: LspPlaceOperation | 'documentSymbol' | 'workspaceSymbol' | 'diagnostics';
  /** The file: an absolute path, or one relative to the working folder. */
  readonly filePath: string;
  /** Line of the symbol, counted from 1. */
  readonly line?: number | undefined;
  /** Character in the line, counted from 1. */
  readonly character?: number | undefined;
  /** Name of a symbol, or a part of it, for `workspaceSymbol`. */
  readonly query?: string | undefined;
};

/** Input of Bash. */
export type BashInput = {
  /** The command line, as bash reads it. */
  readonly command: string;
  /** Time after which the command is ended, ms; 120,000 if absent, at most 600,000. */
  readonly timeout?: number | undefined;
  /** Effect of the command, in 5 to 10 words. */
  readonly description?: string | undefined;
  /** Answer at once; BashOutput reads the output. */
  readonly run_in_background?: boolean | undefined;
  /** Run outside the sandbox, if there is one. Needs approval. */
  readonly dangerouslyDisableSandbox?: boolean | undefined;
};

/** Input of BashOutput. */
export type BashOutputInput = {
  /** ID of the background command. */
  readonly bash_id: string;
  /** Regular expression: only lines that match are returned. */
  readonly filter?: string | undefined;
};

/** Input of KillShell. */
export type KillShellInput = {
  /** ID of the background command. */
  readonly shell_id: string;
};

/** Input of Agent. */
export type AgentInput = {
  /** The task in 3 to 5 words. */
  readonly description: string;
  /** The whole task. */
  readonly prompt: string;
  /** Type of the agent, such as `general-purpose`; `fork` for a copy of the caller. */
  readonly subagent_type: string;
  /** Alias or ID of a model; the agent's own if absent. */
  readonly model?: string | undefined;
  /** Whether the call answers at once; the type of the agent decides if absent. */
  readonly run_in_background?: boolean | undefined;
  /** Name for messages. */
  readonly name?: string | undefined;
  /** Permission mode; never laxer than the caller's. */
  readonly mode?: PermissionMode | undefined;
  /** ID or name of an ended agent to resume. */
  readonly resume?: string | undefined;
  /** `worktree`: the agent works in its own git worktree. */
  readonly isolation?: 'worktree' | undefined;
  /** Team of the caller that the agent joins. */
  readonly team_name?: string | undefined;
};

/** Input of TaskOutput. */
export type TaskOutputInput = {
  /** ID of the task. */
  readonly task_id: string;
  /** Whether the call waits for the end of the task; true if absent. */
  readonly block?: boolean | undefined;
  /** Longest wait, ms. */
  readonly timeout?: number | undefined;
};

/** Input of TaskStop. */
export type TaskStopInput = {
  /** ID of the task. */
  readonly task_id: string;
};

/** Input of TodoWrite. */
export type TodoWriteInput = {
  /** The whole list, which replaces the one before. */
  readonly todos: readonly TodoItem[];
};

/** One choice of a question. */
export type AskUserQuestionOption = {
  /** The choice in 1 to 5 words. */
  readonly label: string;
  /** The meaning of the choice. */
  readonly description: string;
};

/** One question of AskUserQuestion. */
export type AskUserQuestion = {
  /** The whole question. */
  readonly question: string;
  /** The topic, at most 12 characters. */
  readonly header: string;
  /** Two to four choices with different labels. */
  readonly options: readonly AskUserQuestionOption[];
  /** Whether several may be chosen. */
  readonly multiSelect: boolean;
};

/** Input of AskUserQuestion. */
export type AskUserQuestionInput = {
  /** One to four different questions. */
  readonly questions: readonly AskUserQuestion[];
  /** Answers by question: set by the approver. */
  readonly answers?: { readonly [question: string]: string | readonly string[] } | undefined;
};

/** Input of ExitPlanMode. */
export type ExitPlanModeInput = {
  /** The whole plan, in Markdown. */
  readonly plan: string;
};

/** Input of ToolSearch. */
export type ToolSearchInput = {
  /** Keywords, `select:NAME,NAME`, or `+word keywords`. */
  readonly query: string;
  /** Most tools to find; 5 if absent. */
  readonly max_results?: number | undefined;
};

/** Input of NotebookEdit. */
export type NotebookEditInput = {
  /** The notebook: an absolute path, or one relative to the working folder. */
  readonly notebook_path: string;
  /** The cell to replace or delete; with `insert` the cell before the new one, the beginning if absent. */
  readonly cell_id?: string | undefined;
  /** The new source of the cell. */
  readonly new_source: string;
  /** Type of the cell: required with `insert`, the present one if absent. */
  readonly cell_type?: 'code' | 'markdown' | undefined;
  /** The change; `replace` if absent. */
  readonly edit_mode?: 'replace' | 'insert' | 'delete' | undefined;
};

/** Input of WebFetch. */
export type WebFetchInput = {
  /** Address of the page. */
  readonly url: string;
  /** The question that the page answers. */
  readonly prompt: string;
};

/** Input of WebSearch. */
export type WebSearchInput = {
  /** The words to search for. */
  readonly query: string;
  /** Only results from these domains and those below them. */
  readonly allowed_domains?: readonly string[] | undefined;
  /** No results from these domains and those below them. */
  readonly blocked_domains?: readonly string[] | undefined;
};

/** Input of Skill. */
export type SkillInput = {
  /** Name of the skill, without a slash. */
  readonly skill: string;
  /** Arguments of the skill. */
  readonly args?: string | undefined;
};
