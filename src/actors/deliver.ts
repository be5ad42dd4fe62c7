import { UnknownRecipientError } from '../core/errors.js';
import type { Envelope } from '../core/events.js';
import type { ImageBlock, TextBlock } from '../core/messages.js';
import { tell } from './agent/agent-parts.js';
import type { AgentRuntime } from './agent/agent-runtime.js';
import type { SessionRuntime } from './session-types.js';

/**
 * Puts mail into an agent's inbox and tells its machine, and by it everybody above who might otherwise be done, in one
 * step. Resolves when it is on stable storage. What the recipient has not taken when it ends stays in its journal,
 * accepted and not received.
 */
export async function deliver(
  session: SessionRuntime,
  recipient: AgentRuntime,
  kind: 'prompt' | 'message' | 'notification',
  from: string,
  content: readonly (TextBlock | ImageBlock)[],
): Promise<void> {
  return deliverEnvelope(session, recipient, session.envelope(kind, from, [...content]));
}

/** The same for an envelope that is made already. */
export async function deliverEnvelope(
  session: SessionRuntime,
  recipient: AgentRuntime,
  envelope: Envelope,
): Promise<void> {
  const { taskId } = recipient.parts;
  if (session.board.find(taskId)?.type === 'local_workflow')
    throw new UnknownRecipientError(taskId, `${taskId} is a workflow, which reads no messages`);
  if (recipient.parts.driver !== undefined && envelope.kind === 'message')
    throw new UnknownRecipientError(taskId, `${taskId} asks no model, and reads no messages`);
  recipient.accept(envelope);
  const work = session.board.actorOf(taskId)?.getSnapshot().children['work'];
  if (work !== undefined)
    tell(work, { type: 'inbox.arrived', isPrompt: envelope.kind === 'prompt' });
  await recipient.syncMail();
}
