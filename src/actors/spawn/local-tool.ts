import type { Tool } from '../../tools/tool.js';
import { withoutAdvice } from '../../core/advice.js';
import type { AgentDefinition } from '../../core/agents/agent-definition.js';
import type { AgentId, TaskId } from '../../core/ids.js';
import type { ToolResultBlock, ToolUseBlock } from '../../core/messages.js';
import type { WorkOutcome } from '../../core/task-types.js';
import { contentText } from '../../journal/entries/content-text.js';
import type { SessionFiles } from '../../journal/journal.js';
import { stepKey } from '../../journal/entries/step-key.js';
import { localToolMachine } from '../../machines/agent/local-tool.js';
import type { ToolRequest } from '../../tools/capabilities/task-capabilities.js';
import { tell, watch } from '../agents/parts/effects.js';
import type { ToolCaller } from '../agents/runtime/tool-caller.js';
import type { LiveCaller } from '../agents/runtime/live-caller.js';
import { callActions } from '../agents/runtime/call-actions.js';
import type { Said } from '../agents/conversation/reply.js';
import { onlyUnknownTools } from '../agents/tools-of-agent.js';
import type { AgentFactory } from '../agents/agent-factory.js';
import { emitFrom } from '../services/event-bus.js';
import { LASTS, TaskRefusedError } from '../contract/task-refused-error.js';

/** The services of a task that calls one tool. */
export type ToolOwners = {
  readonly options: { readonly tools: readonly Tool[] };
  readonly settings: { readonly maxDepth: number };
  readonly factory: AgentFactory;
};

/** The caller of the one tool. */
const CALLER: AgentDefinition = { name: 'tool', description: 'Calls one tool once.', prompt: '' };

/**
 * Make the parts of a task that calls one tool: its caller, with depth, rules and folder of its parent, and the input
 * of its machine.
 *
 * @throws TaskRefusedError
 */
export function createToolTask(
  { options, settings, factory }: ToolOwners,
  parent: LiveCaller,
  taskId: TaskId,
  { tool, input, description, toolUseId, rules, onData }: ToolRequest,
): { readonly caller: LiveCaller; readonly spec: unknown } {
  const { maxDepth } = settings;
  if (parent.parts.depth + 1 > maxDepth)
    throw new TaskRefusedError(
      `tasks may be at most ${maxDepth} deep, and this one would be deeper`,
      LASTS,
    );
  const definition = { ...CALLER, tools: [tool] };
  if (onlyUnknownTools(definition, options.tools).length > 0)
    throw new TaskRefusedError(`there is no tool "${tool}"`, LASTS);
  const caller = factory.createCaller({
    taskId,
    definition,
    parent,
    parentToolUseId: toolUseId,
    description,
    permissionMode: undefined,
    rules,
    budget: undefined,
    onData,
  });
  return { caller, spec: { tool, input } };
}

/** The only turn, with the only call. */
const TURN = 1;

/** The machine of one tool call with its effects: the work of every `local_tool` task of an orchestrator. */
export function createLocalToolLogic({
  caller,
  session,
}: {
  readonly caller: (id: AgentId) => ToolCaller;
  readonly session: (task: { readonly id: TaskId }) => { readonly journal: SessionFiles };
}) {
  return localToolMachine.provide({
    actions: {
      prepare: ({ self }, { agentId, tool, input }) =>
        watch(self, async () => {
          const { parts, servers, admit } = caller(agentId);
          await servers.wait();
          const id = `toolu_${agentId.slice(-16)}`;
          const block: ToolUseBlock = { type: 'tool_use', id, name: tool, input };
          const call = await admit({ block }, TURN);
          if (self.getSnapshot().status !== 'active') return; // the call never runs, so it is dropped
          parts.stepContext.record<Said>(stepKey.said(TURN, 0), { blocks: [block] });
          const message = { role: 'assistant', content: [block] } as const;
          const meta = { uuid: parts.stepContext.uuid() };
          emitFrom(parts.stepContext, { type: 'agent.message', args: [message, meta] });
          tell(self, { type: 'tool.use', call });
        }),
      ...callActions(caller),
      conclude: ({ self, context: { input } }, { agentId, id }) =>
        watch(self, async () => {
          const { parts, publishResult } = caller(agentId);
          const outcome = toOutcome(parts.conversation.result(id));
          if (outcome.status === 'completed')
            session({ id: input.taskId }).journal.appendText(
              `output/${input.taskId}`,
              `${String(outcome.result)}\n`,
            );
          publishResult(id);
          tell(self, { type: 'tool.ended', outcome });
          return Promise.resolve();
        }),
      tearOff: (_, { agentId }) => caller(agentId).tearOff(),
    },
  });
}

function toOutcome(result: ToolResultBlock | undefined): WorkOutcome {
  const text = contentText(result?.content);
  if (result?.is_error !== true) return { status: 'completed', result: text };
  return { status: 'failed', failure: { code: 'TOOL_FAILED', message: withoutAdvice(text) } };
}
