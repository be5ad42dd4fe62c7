import type { AgentRuntime } from '../agents/runtime/agent-runtime.js';
import { BY_PROGRAM } from '../spawn/plan-agent.js';
import type { ToolUseContext } from '../../tools/tool.js';

/**
 * The context of tools for a command that a person or a program uses.
 *
 * @param ended resolves when the session has ended; the signal of the context aborts then
 */
export function contextOfUse(
  { toolContext, conversation }: AgentRuntime['parts'],
  ended: Promise<unknown>,
): ToolUseContext {
  const abortController = new AbortController();
  void ended.then(() =>
    abortController.abort(new DOMException('The session has ended.', 'AbortError')),
  );
  const messages = [...conversation.messages()]; // the conversation itself grows
  return { ...toolContext, call: { toolUseId: BY_PROGRAM, abortController, messages } };
}
