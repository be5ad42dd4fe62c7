import { createActor } from 'xstate';
import { createAgentLogic } from '../../src/actors/agent/agent-logic.js';
import type { AgentParts } from '../../src/actors/agent/agent-parts.js';
import { createAgentRuntime } from '../../src/actors/agent/agent-runtime.js';
import { createConversation } from '../../src/actors/agent/conversation.js';
import { createInbox } from '../../src/actors/agent/inbox.js';
import { createJournaledContext } from '../../src/actors/agent/journaled-context.js';
import { replayMail } from '../../src/actors/agent/replay.js';
import { createAudit } from '../../src/actors/audit.js';
import { createEventBus } from '../../src/actors/event-bus.js';
import { createTaskBoard } from '../../src/actors/task-board.js';
import { createTimers } from '../../src/actors/timers.js';
import type { AgentId, TaskId } from '../../src/core/ids.js';
import type { AgentEntry } from '../../src/journal/agent-entries.js';
import type { Journal } from '../../src/journal/journal.js';
import { createRateLimits } from '../../src/model/rate-limits.js';
import { createUsageLedger } from '../../src/model/usage-ledger.js';
import type { ToolUseContext } from '../../src/tools/tool.js';
import { ASK_FIRST } from './troupe.js';
import { createSimulatedTime } from './simulated-time.js';

const refuse = (what: string) => (): never => {
  throw new Error(`a replay must not ${what}`);
};

/** Runs an agent again from its entries alone: without a model, without tools, and without writing a line. */
export async function replayAgent(entries: readonly AgentEntry[]) {
  const [started] = entries;
  if (started?.type !== 'agent.started') throw new Error('the journal has no beginning');
  const id = started.agentId as AgentId; // written as one
  const taskId = started.taskId as TaskId; // written as one
  const time = createSimulatedTime();
  const timers = createTimers(time);
  const bus = createEventBus();
  const journal: Journal = {
    directory: '/nowhere',
    failure: undefined,
    append: refuse('write'),
    appendText: refuse('write'),
    keepText: refuse('write'),
    pathOf: (file) => `/nowhere/${file}`,
    sync: refuse('write'),
    flushSoon: refuse('write'),
    release: () => {},
    checkFiles: () => {},
    close: () => Promise.resolve(),
  };
  const inbox = createInbox();
  const abort = new AbortController();
  const parts: AgentParts = {
    id,
    taskId,
    parentAgentId: undefined,
    type: started.agentType,
    name: started.name,
    description: '',
    depth: 0,
    deniedTools: [],
    origin: { agentId: id, taskId, parentToolUseId: null },
    model: started.model,
    effort: undefined,
    thinking: undefined,
    system: [],
    tools: [],
    modelTools: [],
    inbox,
    conversation: createConversation(),
    abort,
    permissionContext: () => ASK_FIRST,
    judgingContext: () => ASK_FIRST,
    toolContext: {} as ToolUseContext, // no tool runs
    door: {
      ...createJournaledContext({
        id,
        journal,
        inbox,
        timers,
        signal: abort.signal,
        emit: () => {},
        entries,
      }),
      rest: () => {}, // it stays open where the first run had ended
    },
  };
  const runtime = createAgentRuntime(parts, {
    bus,
    journal,
    timers,
    board: createTaskBoard({ journal, bus, timers }),
    mail: { accept: refuse('accept mail') },
    audit: createAudit(journal),
    bashGrammar: refuse('read a command line'),
    ledger: createUsageLedger(),
    rateLimits: createRateLimits(timers),
    model: { stream: refuse('call the model') },
    maxTokens: 1,
    fallbackModels: [],
    silence: { idleMs: 1, firstMs: 1 },
    idleNotice: refuse('tell of a teammate'),
    env: {},
    graceMs: 1_000,
  });
  const logic = createAgentLogic(() => runtime);
  const input = { agentId: id, taskId, inbox: 0, staysOpen: true, maxTurns: undefined };
  const agent = createActor(logic, { input });
  agent.start();
  await replayMail(agent, entries);
  return { messages: parts.conversation.messages, snapshot: agent.getSnapshot() };
}
