import type { z } from 'zod';
import type { SessionId, TaskId } from '../../../core/ids.js';
import type { McpServerStatus } from '../../../core/agents/mcp-types.js';
import type { ToolPermissionContext } from '../../../core/permission-types.js';
import type { Model } from '../../../model/model.js';
import type { Tool, ToolInputJSONSchema } from '../../../tools/tool.js';
import type { WaysOutOfSandbox } from '../../../permissions/shell/excluded-command.js';
import type { ResumedSession } from './resumed-session.js';
import type { SessionStart } from '../../contract/session-start.js';

/** What a start says of the session's own agent, and of what it asks for. */
export type SessionChoices = {
  readonly [Name in 'appendSystemPrompt' | 'effort' | 'systemPrompt' | 'thinking' | 'title']:
    SessionStart[Name] | undefined;
} & {
  /** The JSON schema of the answer. */
  readonly outputSchema: ToolInputJSONSchema | undefined;
  /** The zod schema that it was made from. */
  readonly outputType: z.ZodType | undefined;
};

/** What a session is made of; fixed for its life. */
export type SessionOptions = {
  readonly id: SessionId;
  readonly taskId: TaskId;
  readonly directory: string;
  /** What it is gone on with; undefined where it is new. */
  readonly resumed: ResumedSession | undefined;
  readonly model: Model;
  readonly modelName: string;
  /** The model in plan mode, if it is another one. */
  readonly planModelName: string | undefined;
  /** Ids, in the order in which they are tried. */
  readonly fallbackModels: readonly string[];
  readonly maxTokens: number;
  /** The pool without what comes from servers. */
  readonly tools: readonly Tool[];
  /** The servers that tools come from; absent where there are none. */
  readonly mcp: SessionMcp | undefined;
  readonly permissions: ToolPermissionContext;
  /** What the sandbox of shells leaves out; undefined where none is in force. */
  readonly sandbox: WaysOutOfSandbox | undefined;
  readonly choices: SessionChoices;
};

/** The MCP servers of a session. */
export type SessionMcp = {
  /** The whole pool, when every server has connected or failed. Never rejects. */
  readonly pool: Promise<readonly Tool[]>;
  servers(): readonly McpServerStatus[];
};
