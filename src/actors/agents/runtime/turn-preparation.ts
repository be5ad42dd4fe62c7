import { setImmediate } from 'node:timers/promises';
import type { AnyActorRef } from 'xstate';
import type { Envelope } from '../../../core/events.js';
import type { TaskId } from '../../../core/ids.js';
import { textBlock } from '../../../core/messages.js';
import { stepKey } from '../../../journal/entries/step-key.js';
import { emitFrom } from '../../services/event-bus.js';
import type { Admission } from '../../tasks/admission.js';
import type { TaskRecorder } from '../../tasks/task-recorder.js';
import type { Mailbox } from '../../mail/mailbox.js';
import type { Conversation } from '../conversation/conversation.js';
import type { AgentContext } from '../../../core/agents/agent-context.js';
import type { AgentIdentity } from '../../../core/agents/agent-identity.js';
import { tell } from '../parts/effects.js';
import type { TurnHooks } from './turn-hooks.js';

export type PreparationOwners = {
  /** Resolves when the tools of all servers are available. */
  readonly waitForServers: () => Promise<void>;
  /** Take up changed files of settings; absent if no option follows its files. */
  readonly catchUp: (() => Promise<void> | undefined) | undefined;
  /** Absent if any number of agents may work at once. */
  readonly admission: Admission | undefined;
  readonly recorder: Pick<TaskRecorder, 'notified'>;
  /** Called with the IDs of the new prompts of a person. */
  readonly onPrompt: (ids: readonly string[]) => void;
  /** Called when an agent that asks no model has read its messages. */
  readonly onRead: () => void;
  /** Keeps results of tools within their share of the context window. */
  readonly keepResultBudget: (turn: number) => Promise<void>;
  readonly isWindowShort: (turn: number) => boolean;
  /** Runs the hooks for the messages that wait. */
  readonly admit: TurnHooks['admit'];
  /** Runs the hooks for the results that the next request has. */
  readonly afterBatch: TurnHooks['afterBatch'];
  readonly accept: (mail: Envelope) => void;
};

/**
 * @returns a function that prepares a turn: it waits until the agent may work, takes its messages into the
 * conversation, and tells the agent whether its model has something to answer
 */
export function createTurnPreparation(
  parts: Pick<AgentIdentity, 'id' | 'taskId'> & {
    readonly asksNoModel: boolean;
    readonly inbox: Mailbox;
    readonly conversation: Conversation;
    readonly stepContext: AgentContext;
  },
  owners: PreparationOwners,
): (agent: AnyActorRef, turn: number) => Promise<void> {
  const { conversation, stepContext, taskId, asksNoModel } = parts;
  const { waitForServers, catchUp, admission, recorder, onPrompt, onRead } = owners;
  const { keepResultBudget, isWindowShort, admit, afterBatch, accept } = owners;
  let prepared = 0;

  const publish = ({ id, kind, content, uuid }: Envelope): void => {
    if (kind === 'notification') recorder.notified(id as TaskId); // the ID of a notification is a task ID
    const message = { role: 'user', content: content as never } as const; // user blocks go in unchanged
    const own = stepContext.uuid();
    const given = uuid !== undefined && kind === 'prompt' ? { promptUuid: uuid } : {};
    const meta = { uuid: uuid ?? own, mail: kind, ...given };
    emitFrom(stepContext, { type: 'agent.message', args: [message, meta] });
  };

  const judgeBatch = async (agent: AnyActorRef, turn: number): Promise<string | undefined> => {
    const { text, stops } = await afterBatch(turn);
    const mail = `${parts.id}/batch-${turn}`;
    if (text !== undefined && !parts.inbox.has(mail)) {
      const content = [textBlock(text)];
      const at = stepContext.now();
      accept({ id: mail, seq: turn, kind: 'reminder', from: parts.id, content, at });
      tell(agent, { type: 'inbox.arrived', isPrompt: false });
    }
    return stops;
  };

  return async (agent, turn) => {
    await waitForServers();
    const caughtUp = catchUp?.();
    if (caughtUp !== undefined) await caughtUp;
    if (agent.getSnapshot().context.stopping === undefined) await admission?.pass(taskId);
    if ((prepared += 1) % TURNS_IN_A_ROW === 0) await setImmediate();
    if (conversation.isPaused())
      return tell(agent, { type: 'prepared', drained: 0, hasContent: true });
    const inboxKey = stepKey.inbox(turn);
    const isJournaled = stepContext.isDone(inboxKey);
    const stops = isJournaled ? undefined : await judgeBatch(agent, turn);
    const amend = isJournaled ? undefined : await admit();
    const received = stepContext.receive(inboxKey, amend);
    const blocked = [stops ?? [], received.flatMap((envelope) => envelope.blocked ?? [])].flat();
    conversation.addTurn(received);
    await keepResultBudget(turn);
    const prompts = received.filter(({ kind }) => kind === 'prompt').map(({ id }) => id);
    if (prompts.length > 0) onPrompt(prompts);
    for (const envelope of received) publish(envelope);
    if (asksNoModel && received.length > 0) onRead();
    const hasContent = !asksNoModel && stops === undefined && conversation.isUnanswered();
    tell(agent, {
      type: 'prepared',
      drained: received.length,
      hasContent,
      isShort: isWindowShort(turn),
      ...(!hasContent &&
        blocked.length > 0 && { outcome: { status: 'completed', result: blocked.join('\n') } }),
    });
  };
}

/**
 * Turns of an agent whose model and tools never wait, before the event loop runs other work: a signal, a timer, a
 * socket.
 */
const TURNS_IN_A_ROW = 10;
