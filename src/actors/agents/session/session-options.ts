import type { z } from 'zod';
import type { SessionId, TaskId } from '../../../core/ids.js';
import type { McpServerStatus } from '../../../core/agents/mcp-types.js';
import type { ToolPermissionContext } from '../../../core/permission-types.js';
import type { Model } from '../../../model/model.js';
import type { Tool, ToolInputJSONSchema } from '../../../tools/tool.js';
import type { ActiveSandbox } from '../../../processes/sandbox/sandbox.js';
import type { ServerOfferings } from './server-offerings.js';
import type { ResumedSession } from './resumed-session.js';
import type { CallTool } from '../../hooks/run-mcp-hook.js';
import type { SessionStart } from '../../contract/session-start.js';

/** The options of a start for the main agent and its output. */
export type SessionChoices = {
  readonly [
    Name in
      | 'appendSystemPrompt'
      | 'backgroundsSkills'
      | 'effort'
      | 'enableFileCheckpointing'
      | 'onDefer'
      | 'systemPrompt'
      | 'thinking'
      | 'title'
  ]: SessionStart[Name] | undefined;
} & {
  /** The JSON schema of the structured output. */
  readonly outputSchema: ToolInputJSONSchema | undefined;
  /** The zod schema behind the JSON schema. */
  readonly outputType: z.ZodType | undefined;
};

/** The parts of a session, fixed for its life. */
export type SessionOptions = {
  readonly id: SessionId;
  readonly taskId: TaskId;
  readonly directory: string;
  /** The state of a resumed session; undefined for a new one. */
  readonly resumed: ResumedSession | undefined;
  /** ID of the session that this one is a copy of; undefined for an original. */
  readonly forkedFrom: SessionId | undefined;
  readonly model: Model;
  readonly modelName: string;
  /** The model in plan mode, if it is another one. */
  readonly planModelName: string | undefined;
  /** IDs, in the order in which they are tried. */
  readonly fallbackModels: readonly string[];
  readonly maxTokens: number;
  /** The pool without the tools of servers. */
  readonly tools: readonly Tool[];
  /** The whole pool at present, by the present skills. */
  toolsNow(): readonly Tool[];
  /** The servers of tools; absent without servers. */
  readonly mcp: SessionMcp | undefined;
  readonly permissions: ToolPermissionContext;
  /** The sandbox of shells; undefined without a sandbox. */
  readonly sandbox: ActiveSandbox | undefined;
  readonly choices: SessionChoices;
};

/** The MCP servers of a session. */
export type SessionMcp = {
  /** The whole pool, when every server has connected or failed. Never rejects. */
  readonly pool: Promise<readonly Tool[]>;
  servers(): readonly McpServerStatus[];
  /** The whole pool at present. */
  current(): readonly Tool[];
  /** Call a tool of a server by the server's own name for it. Rejects if no server has the name. */
  readonly call: CallTool;
  /** List the tools of the servers again. */
  refresh(): Promise<void>;
  readonly offerings: ServerOfferings;
};
