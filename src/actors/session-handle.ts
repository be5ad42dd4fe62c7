import type { AnyActorRef } from 'xstate';
import type { AgentDefinition } from '../core/agent-definition.js';
import { messageOf, UnknownRecipientError } from '../core/errors.js';
import type { TaskInput } from '../core/events.js';
import { toTaskId } from '../core/ids.js';
import { textBlock, type ImageBlock, type TextBlock } from '../core/messages.js';
import type { PermissionUpdate } from '../core/permission-types.js';
import { keepTitle } from '../journal/session-title.js';
import { resolveModelAlias } from '../model/aliases.js';
import { applyPermissionUpdate } from '../permissions/apply-update.js';
import { checkOutputSchema } from '../tools/structured-output.js';
import { tell } from './agent/agent-parts.js';
import { compactAgent } from './compact-agent.js';
import { checkTaskBudget, sessionBudget } from './budgets.js';
import type { SessionHandle, SessionStart } from './public-types.js';
import { putBackMail } from './resume/put-back-mail.js';
import type { SessionMessage } from './session-message.js';
import { createSessionMessages } from './session-messages.js';
import { createMessageQueue } from './session-messages/message-queue.js';
import type { SessionRuntime } from './session-types.js';
import { BY_PROGRAM } from './spawn/plan-agent.js';
import { spawnTask } from './spawn/spawn-task.js';
import { backgroundTask, deliver } from './task-capabilities.js';
import { createTaskHandle } from './task-handle.js';

/** Makes the session's own agent, opens the session below `root`, and hands it to the program. */
export function createSessionHandle(
  session: SessionRuntime,
  definition: AgentDefinition,
  start: SessionStart,
  root: AnyActorRef,
): SessionHandle {
  const { id: sessionId, taskId, directory } = session.options;
  const { outputSchema, title } = session.options.choices;
  if (title !== undefined) keepTitle(session.journal, title);
  const agent = session.createAgent({
    taskId,
    definition,
    parent: undefined,
    parentToolUseId: null,
    name: session.options.resumed?.name ?? 'main',
    model: start.modelName ?? session.options.resumed?.model,
    permissionMode: undefined,
    budget: sessionBudget(start, definition),
  });
  const firstModel = agent.parts.model;
  const { prompt } = start;
  const { resumed } = session.options;
  let initialPrompt = resumed === undefined ? definition.initialPrompt : undefined;
  const waiting = resumed === undefined ? 0 : putBackMail(session, agent, resumed);
  /** The first prompt has the agent's own in front of it. */
  const open = (content: Content): (TextBlock | ImageBlock)[] => {
    const opening = initialPrompt === undefined ? [] : [textBlock(initialPrompt)];
    initialPrompt = undefined;
    return [...opening, ...toBlocks(content)];
  };
  if (prompt !== undefined) agent.accept(session.envelope('prompt', 'user', open(prompt)));
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
      autoCompact: session.options.autoCompact,
      ...(resumed === undefined ? {} : { turn: resumed.agent.turn, goesOn: resumed.agent.goesOn }),
      ...resumed?.agent.continued,
    },
  };
  const messages = createMessageQueue<SessionMessage>();
  createSessionMessages(session, {
    emit: messages.push,
    includePartial: start.includePartialMessages ?? false,
    replayPrompts: start.replayPrompts ?? false,
    tellsSubagentText: start.forwardSubagentText ?? true,
  });
  root.send({ type: 'session.open', task });

  const handle = createTaskHandle(session, taskId);
  void handle.outcome.then(messages.end);
  const work = (): AnyActorRef | undefined =>
    session.board.actorOf(taskId)?.getSnapshot().children['work'];
  const tellWork = (event: { type: 'agent.interrupt' } | { type: 'inbox.closed' }): void => {
    const actor = work();
    if (actor !== undefined) tell(actor, event);
  };
  const updatePermissions = (updates: readonly PermissionUpdate[]): void => {
    for (const update of updates)
      session.store.setState((state) => ({
        ...state,
        toolPermissionContext: applyPermissionUpdate(state.toolPermissionContext, update),
      }));
  };
  if (outputSchema !== undefined)
    checkOutputSchema(outputSchema).catch((error: unknown) => handle.kill(messageOf(error)));
  const stop = (): void => void handle.kill('aborted by the program');
  start.signal?.addEventListener('abort', stop, { once: true });
  if (start.signal?.aborted === true) stop();
  void handle.outcome.then(() => start.signal?.removeEventListener('abort', stop));

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
      return handle.result;
    },
    sessionId,
    directory,
    events: session.bus,
    async spawn(options) {
      const { prompt: text, resume, isolation, background = false } = options;
      const agentType = options.agent ?? (resume === undefined ? 'general-purpose' : undefined);
      const { name, model, permissionMode, description = firstLine(text), taskBudget } = options;
      checkTaskBudget(taskBudget);
      const spawned = await spawnTask(session, taskId, agent.parts.id, {
        kind: 'local_agent',
        ...(agentType === undefined ? {} : { agentType }),
        ...(resume === undefined ? {} : { resume }),
        ...(isolation === undefined ? {} : { isolation }),
        prompt: text,
        description,
        isBackgrounded: background,
        toolUseId: BY_PROGRAM,
        ...(name === undefined ? {} : { name }),
        ...(model === undefined ? {} : { model }),
        ...(permissionMode === undefined ? {} : { permissionMode }),
        ...(taskBudget === undefined ? {} : { taskBudget }),
      });
      return createTaskHandle(session, spawned.id);
    },
    async background(id) {
      const wanted = session.board
        .list()
        .filter((one) =>
          id === undefined
            ? one.parentId === taskId && one.toolUseId !== BY_PROGRAM
            : one.id === id && one.id !== taskId,
        )
        .map((one) => one.id);
      const went = await Promise.all(wanted.map((one) => backgroundTask(session, one)));
      return wanted.filter((_, index) => went[index]);
    },
    async prompt(content) {
      if (!session.agents.has(agent.parts.id))
        throw new UnknownRecipientError(sessionId, `the session ${sessionId} has ended`);
      await deliver(session, agent, 'prompt', 'user', open(content));
    },
    compact: (instructions) => compactAgent(agent, work(), handle.outcome, instructions),
    interrupt: () => tellWork({ type: 'agent.interrupt' }),
    end: () => tellWork({ type: 'inbox.closed' }),
    setPermissionMode: (mode) =>
      updatePermissions([{ type: 'setMode', mode, destination: 'session' }]),
    updatePermissions,
    task(id) {
      const known = toTaskId(id);
      return known === null || session.board.find(known) === undefined
        ? undefined
        : createTaskHandle(session, known);
    },
    tasks: () => session.board.list(),
    setModel(model) {
      const { parts, sampling } = agent;
      parts.model = model === undefined ? firstModel : resolveModelAlias(model);
      const { options } = parts.toolContext;
      parts.toolContext = {
        ...parts.toolContext,
        options: { ...options, mainLoopModel: parts.model },
      };
      sampling.useOwnModel();
    },
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

function firstLine(text: string): string {
  return (text.split('\n', 1)[0] as string).slice(0, 60); // a split has at least one part
}
