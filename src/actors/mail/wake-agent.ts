import type { AgentId } from '../../core/ids.js';
import { textBlock } from '../../core/messages.js';
import type { MailSender, Recipient } from './mailroom.js';

/** Send a live agent a notification. An agent that has ended gets nothing. */
export function wakeAgent(
  {
    agents,
    mail,
  }: {
    readonly agents: { readonly live: ReadonlyMap<AgentId, { readonly parts: Recipient }> };
    readonly mail: MailSender;
  },
  agentId: AgentId,
  text: string,
): void {
  const agent = agents.live.get(agentId);
  if (agent === undefined) return;
  const notice = mail.envelope('notification', agentId, [textBlock(text)]);
  mail.deliver(agent.parts, notice).catch(() => {}); // a journal that cannot be written ends the session by itself
}
