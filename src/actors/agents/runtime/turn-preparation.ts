import { setImmediate } from 'node:timers/promises';
import type { AnyActorRef } from 'xstate';
import type { Envelope } from '../../../core/events.js';
import type { TaskId } from '../../../core/ids.js';
import { stepKey } from '../../../journal/entries/step-key.js';
import { emitFrom } from '../../services/event-bus.js';
import type { Admission } from '../../tasks/admission.js';
import type { TaskRecorder } from '../../tasks/task-recorder.js';
import type { AgentParts } from '../parts/agent-parts.js';
import { tell } from '../parts/effects.js';

export type PreparationOwners = {
  /** Resolves when the tools of all servers are there. */
  readonly waitForServers: () => Promise<void>;
  /** Absent if any number of agents may work at once. */
  readonly admission: Admission | undefined;
  readonly recorder: Pick<TaskRecorder, 'notified'>;
  /** Is called when a person has said something new. */
  readonly onPrompt: () => void;
  /** Is called when an agent that asks no model has read its mail. */
  readonly onRead: () => void;
  readonly isWindowShort: (turn: number) => boolean;
};

/**
 * @returns a function that prepares a turn: it waits until the agent may work, takes its mail into the conversation, and
 * tells the agent whether there is anything to ask a model
 */
export function createTurnPreparation(
  parts: AgentParts,
  owners: PreparationOwners,
): (agent: AnyActorRef, turn: number) => Promise<void> {
  const { conversation, door, taskId, asksNoModel } = parts;
  const { waitForServers, admission, recorder, onPrompt, onRead, isWindowShort } = owners;
  let prepared = 0;

  const publish = ({ id, kind, content, uuid }: Envelope): void => {
    if (kind === 'notification') recorder.notified(id as TaskId); // a notification has its task's id
    const message = { role: 'user', content: content as never } as const; // put in as user blocks
    const own = door.uuid();
    const meta = { uuid: uuid ?? own, mail: kind };
    emitFrom(door, { type: 'agent.message', args: [message, meta] });
  };

  return async (agent, turn) => {
    await waitForServers();
    if (agent.getSnapshot().context.stopping === undefined) await admission?.pass(taskId);
    if ((prepared += 1) % TURNS_IN_A_ROW === 0) await setImmediate();
    if (conversation.isPaused)
      return tell(agent, { type: 'prepared', drained: 0, hasContent: true });
    const received = door.receive(stepKey.inbox(turn));
    conversation.addTurn(received);
    if (received.some(({ kind }) => kind === 'prompt')) onPrompt();
    for (const envelope of received) publish(envelope);
    if (asksNoModel && received.length > 0) onRead();
    tell(agent, {
      type: 'prepared',
      drained: received.length,
      hasContent: !asksNoModel && conversation.isUnanswered,
      isShort: isWindowShort(turn),
    });
  };
}

/**
 * If neither the agent's model nor its tools ever wait, so many turns follow each other before the process looks at
 * anything else: a signal, a timer, a socket.
 */
const TURNS_IN_A_ROW = 10;
