import type { AnyActorRef } from 'xstate';
import type { AgentDefinition } from '../core/agent-definition.js';
import { messageOf, UnknownRecipientError, UsageError } from '../core/errors.js';
import type { TaskInput } from '../core/events.js';
import { given } from '../core/given.js';
import { toTaskId } from '../core/ids.js';
import { textBlock, type ImageBlock, type TextBlock } from '../core/messages.js';
import type { PermissionUpdate } from '../core/permission-types.js';
import { readMail } from '../journal/read-mail.js';
import { keepTitle } from '../journal/session-title.js';
import { resolveModelName } from '../model/aliases.js';
import { filledText } from '../tools/check-options.js';
import { checkOutputSchema } from '../tools/structured-output.js';
import { checkContent } from './check-content.js';
import { compactAgent } from './compact-agent.js';
import { sessionBudget } from './budgets.js';
import { contextUsageOf } from './context-usage.js';
import { checkMode, checkUpdates } from './options/check-updates.js';
import { mapTasks } from './map-tasks.js';
import type { SessionHandle, SessionStart } from './public-types.js';
import { putBackMail } from './resume/put-back-mail.js';
import { lostTeammates, reviveTeammates } from './resume/revive-teammates.js';
import { checkThinking } from './resume/session-choices.js';
import type { SessionMessage } from './session-message.js';
import { createSessionMessages } from './session-messages.js';
import { toGapMessage } from './session-messages/gap-message.js';
import { createSessionListeners } from './session-listeners.js';
import { createMessageQueue } from './session-messages/message-queue.js';
import type { SessionRuntime } from './session-runtime.js';
import { BY_PROGRAM } from './spawn/plan-agent.js';
import { killOnAbort, startAgent } from './start-agent.js';
import { sendToAgent } from './task-activity.js';
import { backgroundTask } from './task-capabilities.js';
import { createTaskHandle } from './task-handle.js';
import { SILENT_DRIVER } from './workflow/silent-driver.js';
import { startWorkflow } from './workflow/start-workflow.js';

/** Makes the session's own agent, opens the session below `root`, and hands it to the program. */
export function createSessionHandle(
  session: SessionRuntime,
  definition: AgentDefinition,
  start: SessionStart,
  root: AnyActorRef,
): SessionHandle {
  const { tasks } = session;
  const { id: sessionId, taskId, directory } = session.options;
  const { outputSchema, outputType, title } = session.options.choices;
  if (title !== undefined) keepTitle(session.journal, title);
  const agent = session.factory.create({
    taskId,
    definition,
    parent: undefined,
    parentToolUseId: null,
    name: session.options.resumed?.name ?? 'main',
    description: definition.description,
    model: start.modelName ?? session.options.resumed?.model,
    permissionMode: undefined,
    budget: sessionBudget(start, definition),
    driver: start.hostsOnly === true ? SILENT_DRIVER : undefined,
  });
  const firstModel = agent.parts.model;
  const { prompt } = start;
  const { resumed } = session.options;
  let initialPrompt = resumed === undefined ? definition.initialPrompt : undefined;
  const teammates = lostTeammates(session, agent.parts.id);
  const waiting = resumed === undefined ? 0 : putBackMail(session, agent, resumed, teammates);
  /** The first prompt has the agent's own in front of it. */
  const open = (content: Content): (TextBlock | ImageBlock)[] => {
    const opening = initialPrompt === undefined ? [] : [textBlock(initialPrompt)];
    initialPrompt = undefined;
    return [...opening, ...toBlocks(content)];
  };
  const promptOf = (content: Content) => session.mail.envelope('prompt', 'user', open(content));
  if (prompt !== undefined) session.mail.accept(agent.parts, promptOf(prompt));
  const task: TaskInput = {
    id: taskId,
    kind: 'session',
    description: definition.name,
    agentId: agent.parts.id,
    depth: 0,
    isBackgrounded: false,
    spec: {
      inbox: waiting + (prompt === undefined ? 0 : 1),
      staysOpen: start.staysOpen ?? prompt === undefined,
      maxTurns: start.maxTurns ?? definition.maxTurns,
      concludes: outputSchema !== undefined,
      autoCompact: session.settings.autoCompact,
      ...(resumed === undefined ? {} : { turn: resumed.agent.turn, goesOn: resumed.agent.goesOn }),
      ...resumed?.agent.continued,
    },
  };
  const messages = createMessageQueue<SessionMessage>({
    isPartial: ({ type }) => type === 'stream_event' || type === 'tool_progress',
    toGap: (count) => toGapMessage(sessionId, count),
  });
  createSessionMessages(session, {
    emit: messages.push,
    includePartial: start.includePartialMessages ?? false,
    replayPrompts: start.replayPrompts ?? false,
    tellsSubagentText: start.forwardSubagentText ?? true,
  });
  root.send({ type: 'session.open', task });
  for (const file of [`agents/${agent.parts.id}.jsonl`, 'tasks.jsonl'])
    session.journal.flushSoon(file);
  void reviveTeammates(session, agent, teammates);

  const handle = createTaskHandle(session, taskId);
  void handle.outcome.then(messages.end);
  const updatePermissions = (updates: readonly PermissionUpdate[]): void => {
    checkUpdates(updates, session.settings.known);
    session.permissions.apply(updates);
  };
  if (outputSchema !== undefined)
    checkOutputSchema(outputSchema).catch((error: unknown) => handle.kill(messageOf(error)));
  killOnAbort(handle, start.signal);
  const spawn: SessionHandle['spawn'] = (options) => startAgent(session, agent, options);

  return {
    // not spread: that would read `result`, whose rejection nobody would see
    id: taskId,
    agentId: handle.agentId,
    path: handle.path,
    outcome: handle.outcome,
    send: handle.send,
    kill: handle.kill,
    output: handle.output,
    get status() {
      return handle.status;
    },
    get result() {
      if (outputType === undefined) return handle.result;
      return handle.result.then((answer) => outputType.parseAsync(answer));
    },
    sessionId,
    directory,
    events: createSessionListeners(session.bus),
    spawn,
    map: ((items, toSpawn, options) =>
      mapTasks(spawn, items, toSpawn, options)) as SessionHandle['map'], // outcomes where it settles
    workflow: (asked) => startWorkflow(session, { taskId, agentId: agent.parts.id }, asked),
    async background(id) {
      const wanted = tasks
        .list()
        .filter((one) =>
          id === undefined
            ? one.parentId === taskId && one.toolUseId !== BY_PROGRAM
            : one.id === id && one.id !== taskId,
        )
        .map((one) => one.id);
      const went = await Promise.all(wanted.map((one) => backgroundTask(tasks, one)));
      return wanted.filter((_, index) => went[index]);
    },
    async prompt(content, options) {
      checkContent(content);
      if (!session.agents.live.has(agent.parts.id))
        throw new UnknownRecipientError(sessionId, `the session ${sessionId} has ended`);
      await session.mail.deliver(agent.parts, {
        ...promptOf(content),
        ...given({ uuid: options?.uuid }),
      });
    },
    compact: (instructions) => compactAgent(agent, tasks, taskId, handle.outcome, instructions),
    interrupt: () => sendToAgent(tasks, taskId, { type: 'agent.interrupt' }),
    end: () => sendToAgent(tasks, taskId, { type: 'inbox.closed' }),
    setPermissionMode(mode) {
      checkMode(mode);
      updatePermissions([{ type: 'setMode', mode, destination: 'session' }]);
    },
    updatePermissions,
    task(id) {
      const known = toTaskId(id);
      return known === null || tasks.find(known) === undefined
        ? undefined
        : createTaskHandle(session, known);
    },
    tasks: () => tasks.list(),
    mail: () => readMail(directory),
    teams: () => session.teams.teams(),
    setModel(model) {
      if (model !== undefined && !filledText.safeParse(model).success)
        throw new UsageError('session.setModel: give the id or the alias of a model, or nothing.');
      const { parts, sampling } = agent;
      parts.model =
        model === undefined ? firstModel : resolveModelName(model, session.settings.env);
      const { options } = parts.toolContext;
      parts.toolContext = {
        ...parts.toolContext,
        options: { ...options, mainLoopModel: parts.model },
      };
      sampling.useOwnModel();
    },
    setThinking(thinking) {
      checkThinking(thinking, session.options);
      agent.parts.thinking = thinking;
    },
    contextUsage: () => contextUsageOf(agent.parts, session.settings.contextWindow),
    mcpServers: () => session.options.mcp?.servers() ?? [],
    usage: handle.usage,
    [Symbol.asyncIterator]: () => messages[Symbol.asyncIterator](),
  };
}

type Content = NonNullable<SessionStart['prompt']>;

function toBlocks(content: Content): (TextBlock | ImageBlock)[] {
  if (typeof content === 'string') return [textBlock(content)];
  return content.filter((block) => block.type !== 'tool_result'); // a prompt answers no tool use
}
