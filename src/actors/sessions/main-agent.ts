import type { AgentDefinition } from '../../core/agents/agent-definition.js';
import type { Envelope, TaskInput } from '../../core/events.js';
import { textBlock, type ImageBlock, type TextBlock } from '../../core/messages.js';
import type { AgentFactory } from '../agents/agent-factory.js';
import type { AgentRuntime } from '../agents/runtime/agent-runtime.js';
import { sessionBudget } from '../agents/budgets.js';
import type { MailSender } from '../mail/mailroom.js';
import type { PromptContent, SessionStart } from '../contract/session-start.js';
import type { SessionOptions } from '../agents/session/session-options.js';

/** The services that the main agent is made with. */
export type MainAgentOwners = {
  readonly options: SessionOptions;
  readonly settings: { readonly autoCompact: boolean };
  readonly factory: AgentFactory;
  readonly mail: MailSender;
};

/** Make the main agent. Its task is not open yet. */
export function createMainAgent(
  { options, factory }: Pick<MainAgentOwners, 'options' | 'factory'>,
  definition: AgentDefinition,
  start: SessionStart,
): AgentRuntime {
  const { taskId, resumed } = options;
  return factory.create({
    taskId,
    definition,
    parent: undefined,
    parentToolUseId: null,
    name: resumed?.name ?? 'main',
    description: definition.description,
    model: start.modelName ?? resumed?.model,
    permissionMode: undefined,
    budget: sessionBudget(start, definition),
    asksNoModel: start.hostsOnly === true,
  });
}

/**
 * Make the envelopes of the user's prompts. The first prompt of a new session follows the agent's own initial prompt.
 */
export function createPromptWriter(
  { options, mail }: Pick<MainAgentOwners, 'options' | 'mail'>,
  definition: AgentDefinition,
): (content: PromptContent) => Envelope {
  let initialPrompt = options.resumed === undefined ? definition.initialPrompt : undefined;
  return (content) => {
    const opening = initialPrompt === undefined ? [] : [textBlock(initialPrompt)];
    initialPrompt = undefined;
    return mail.envelope('prompt', 'user', [...opening, ...toBlocks(content)]);
  };
}

/** @param inbox number of envelopes that wait for the agent already */
export function toMainTask(
  { options, settings }: Pick<MainAgentOwners, 'options' | 'settings'>,
  definition: AgentDefinition,
  start: SessionStart,
  {
    agentId,
    inbox,
    mayContinue,
  }: Pick<TaskInput, 'agentId'> & { readonly inbox: number; readonly mayContinue: boolean },
): TaskInput {
  const { taskId, resumed, choices } = options;
  return {
    id: taskId,
    kind: 'session',
    description: definition.name,
    agentId,
    depth: 0,
    isBackgrounded: false,
    spec: {
      inbox,
      staysOpen: start.staysOpen ?? start.prompt === undefined,
      maxTurns: start.maxTurns ?? definition.maxTurns,
      concludes: choices.outputSchema !== undefined || mayContinue,
      autoCompact: settings.autoCompact,
      ...(resumed === undefined
        ? {}
        : { turn: resumed.agent.turn, resumesTurn: resumed.agent.resumesTurn }),
      ...resumed?.agent.continued,
    },
  };
}

function toBlocks(content: PromptContent): (TextBlock | ImageBlock)[] {
  if (typeof content === 'string') return [textBlock(content)];
  return content.filter((block) => block.type !== 'tool_result'); // a prompt answers no tool call
}
