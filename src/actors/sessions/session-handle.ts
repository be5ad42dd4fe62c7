import type { LiveFollower } from '../options/live-files.js';
import { watchForDreams } from './watch-for-dreams.js';
import type { AnyActorRef } from 'xstate';
import type { AgentDefinition } from '../../core/agents/agent-definition.js';
import { messageOf, UnknownRecipientError } from '../../core/errors.js';
import { given } from '../../core/json/given.js';
import type { Journal } from '../../journal/journal.js';
import { readMail } from '../../journal/readers/read-mail.js';
import { keepParent, keepTitle } from '../../journal/sessions/session-labels.js';
import type { PastTasks } from '../tasks/past-tasks.js';
import type { FileHistory } from '../../tools/capabilities/file-history.js';
import { checkOutputSchema } from '../../tools/dialogue/structured-output.js';
import type { AgentRuntime } from '../agents/runtime/agent-runtime.js';
import { checkContent } from '../contract/check-content.js';
import { compactAgent } from './compact-agent.js';
import {
  createMainAgent,
  createPromptWriter,
  toMainTask,
  type MainAgentOwners,
} from './main-agent.js';
import type { SessionHandle, TaskHandle } from '../contract/handles.js';
import type { SessionStart } from '../contract/session-start.js';
import { putBackMail } from './resume/put-back-mail.js';
import { lostTeammates, reviveTeammates } from './resume/revive-teammates.js';
import {
  createModelControls,
  createPermissionControls,
  createTaskControls,
  type TaskControlOwners,
} from './session-controls.js';
import { createSessionListeners } from '../contract/session-listeners.js';
import type { SessionMessage } from '../contract/session-message.js';
import { createSessionMessages, type SessionMessagesOwners } from './messages/session-messages.js';
import { toGapMessage } from './messages/gap-message.js';
import { hearOfInstructions } from '../agents/parts/heard-by-hooks.js';
import { createMessageQueue, type MessageQueue } from './messages/message-queue.js';
import { killOnAbort } from '../handles/start-agent.js';
import { sendToAgent } from '../tasks/task-commands.js';
import { createTaskHandle } from '../handles/task-handle.js';
import { createCommands } from './list-commands.js';
import type { EnteredWorktree } from '../spawn/entered-worktree.js';
import type { AppStateStore } from '../services/app-state-store.js';
import type { Mailroom } from '../mail/mailroom.js';
import type { EventBus } from '../services/event-bus.js';
import type { SessionHooks } from '../hooks/session-hooks.js';
import type { TaskRecorder } from '../tasks/task-recorder.js';

/** The sources and receivers of a session's handle. */
export type SessionHandleOwners = MainAgentOwners &
  TaskControlOwners &
  SessionMessagesOwners & {
    readonly journal: Journal;
    readonly bus: EventBus;
    readonly store: AppStateStore;
    readonly mail: Mailroom;
    readonly pastTasks: PastTasks;
    readonly entered: EnteredWorktree;
    readonly history: FileHistory | undefined;
    readonly recorder: TaskRecorder;
    readonly hooks: SessionHooks;
    readonly shared: { readonly follower: LiveFollower | undefined };
  };

/** Make the main agent, open the session below `root`, and return its handle. */
export function createSessionHandle(
  owners: SessionHandleOwners,
  definition: AgentDefinition,
  start: SessionStart,
  root: AnyActorRef,
): SessionHandle {
  const { options, journal, mail } = owners;
  const { forkedFrom } = options;
  const { title, outputSchema } = options.choices;
  if (forkedFrom !== undefined) keepParent(journal, forkedFrom);
  if (title !== undefined) keepTitle(journal, title);
  const agent = createMainAgent(owners, definition, start);
  const { id: agentId } = agent.parts;
  const toEnvelope = createPromptWriter(owners, definition);
  const teammates = lostTeammates(owners, agentId);
  let inbox =
    options.resumed === undefined ? 0 : putBackMail(owners, agent, options.resumed, teammates);
  if (start.prompt !== undefined) {
    mail.accept(agent.parts, toEnvelope(start.prompt));
    inbox += 1;
  }
  const messages = queueMessages(owners, start);
  const { turnHooks } = agent;
  const { mayContinue } = turnHooks;
  const task = toMainTask(owners, definition, start, { agentId, inbox, mayContinue });
  const deliver = (prompt: string): Promise<void> => mail.deliver(agent.parts, toEnvelope(prompt));
  const started = turnHooks.startSession(sourceOf(owners, start), deliver, start.setup);
  if (owners.settings.dreams && start.staysOpen === true) watchForDreams(owners, agent.parts);
  hearOfInstructions(owners.hooks, agent.parts, owners.settings.context?.memory);
  root.send({ type: 'session.open', task });
  for (const file of [journal.agentFile(agentId), 'tasks.jsonl']) journal.flushSoon(file);
  void reviveTeammates(owners, agent.parts, teammates);

  const handle = createTaskHandle(owners, options.taskId);
  void handle.outcome.then(messages.end);
  if (outputSchema !== undefined)
    checkOutputSchema(outputSchema).catch((error: unknown) => handle.kill(messageOf(error)));
  killOnAbort(handle, start.signal);
  const conversation = createConversation(owners, agent, toEnvelope, handle);
  const controls = createTaskControls(owners, agent);
  const described = {
    usage: handle.usage,
    mcpServers: () => options.mcp?.servers() ?? [],
    ...createPermissionControls(owners, agent),
    ...createModelControls(owners, agent),
  };

  return {
    // no spread, which would read `result` and leave its rejection unhandled
    id: options.taskId,
    agentId: handle.agentId,
    path: handle.path,
    outcome: handle.outcome,
    send: handle.send,
    interrupt: handle.interrupt,
    kill: handle.kill,
    output: handle.output,
    textSoFar: handle.textSoFar,
    get status() {
      return handle.status;
    },
    get result() {
      const { outputType } = options.choices;
      if (outputType === undefined) return handle.result;
      return handle.result.then((answer) => outputType.parseAsync(answer));
    },
    started: async () => void (await started),
    sessionId: options.id,
    directory: options.directory,
    events: createSessionListeners(owners.bus),
    mail: () => readMail(options.directory),
    teams: () => owners.teams.teams(),
    ...described,
    ...conversation,
    ...createCommands(
      owners,
      { ...described, ...controls, compact: conversation.compact },
      { agent, ended: handle.outcome },
    ),
    ...controls,
    [Symbol.asyncIterator]: () => messages[Symbol.asyncIterator](),
  };
}

/** The reason why the session starts, as hooks know it. */
function sourceOf({ options }: MainAgentOwners, { forks }: SessionStart) {
  if (options.resumed === undefined) return 'startup';
  return forks === true ? 'fork' : 'resume';
}

/** Queue the messages of a session, from before it is opened. */
function queueMessages(
  owners: SessionMessagesOwners,
  start: SessionStart,
): MessageQueue<SessionMessage> {
  const messages = createMessageQueue<SessionMessage>({
    isPartial: ({ type }) => type === 'stream_event' || type === 'tool_progress',
    toGap: (count) => toGapMessage(owners.options.id, count),
  });
  createSessionMessages(owners, {
    emit: messages.push,
    includePartial: start.includePartialMessages ?? false,
    includeHooks: start.includeHookEvents ?? false,
    replayPrompts: start.replayPrompts ?? false,
    tellsSubagentText: start.forwardSubagentText ?? true,
  });
  return messages;
}

/** A program's actions on the conversation of the main agent. */
function createConversation(
  owners: SessionHandleOwners,
  agent: AgentRuntime,
  toEnvelope: ReturnType<typeof createPromptWriter>,
  { outcome }: Pick<TaskHandle, 'outcome'>,
): Pick<
  SessionHandle,
  'agents' | 'prompt' | 'skills' | 'mcpPrompts' | 'useSkill' | 'rewindFiles' | 'compact' | 'end'
> {
  const { options, settings, agents, mail, tasks } = owners;
  const { id: sessionId, taskId } = options;
  return {
    async prompt(content, choices) {
      checkContent(content);
      if (!agents.live.has(agent.parts.id))
        throw new UnknownRecipientError(sessionId, `the session ${sessionId} has ended`);
      await mail.deliver(agent.parts, {
        ...toEnvelope(content),
        ...given({ uuid: choices?.uuid }),
      });
    },
    skills: () => settings.skills,
    agents: () => settings.definitions,
    mcpPrompts: () => options.mcp?.offerings.prompts() ?? [],
    async useSkill(name, args = '', choices = {}) {
      if (typeof name === 'string' && name.startsWith('mcp__')) {
        const { usePrompt } = await import('./use-prompt.js');
        return usePrompt(owners, agent, toEnvelope, { name, args, ...choices });
      }
      const { useSkills } = await import('./use-skills.js');
      const names = [name].flat();
      return useSkills(owners, agent, toEnvelope, { names, args, ended: outcome, ...choices });
    },
    async rewindFiles(messageId, { dryRun = false } = {}) {
      const { rewindSessionFiles } = await import('./rewind-session-files.js');
      return rewindSessionFiles(options, owners.history, { messageId, dryRun });
    },
    compact: (instructions) => compactAgent(agent, tasks, taskId, outcome, instructions),
    end: ({ now = false } = {}) =>
      sendToAgent(tasks, taskId, { type: now ? 'agent.quit' : 'inbox.closed' }),
  };
}
