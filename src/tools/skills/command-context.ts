import type { CommandContext } from '../../core/commands/command.js';
import type { ToolUseContext } from '../tool.js';

/** The part of the context of tools that commands of programs see. */
export function toCommandContext({
  call,
  files,
  permissions,
  session,
}: ToolUseContext): CommandContext {
  return {
    sessionId: session.skills?.sessionId ?? '',
    cwd: files.cwd,
    signal: call.abortController.signal,
    messages: call.messages,
    model: session.mainLoopModel,
    permissionMode: permissions.current?.().mode ?? 'default',
    tools: session.tools.map(({ name }) => name),
  };
}
