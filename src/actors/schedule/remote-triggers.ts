import { rmSync, writeFileSync } from 'node:fs';
import { createShortId, type AgentId } from '../../core/ids.js';
import { textBlock } from '../../core/messages.js';
import type { RemoteTrigger } from '../../tools/capabilities/schedule-capabilities.js';
import type { LiveCaller } from '../agents/runtime/live-caller.js';
import type { ScheduleOwners } from './cron-entries.js';
import type { Stopwatch, Timers } from '../services/timers.js';
import { triggeredText } from './prompt-text.js';
import type { RemoteTriggers } from '../agents/session/scheduler-types.js';
import { ScheduleRefusedError } from './schedule-refused-error.js';
import { createSharedServer } from './shared-server.js';
import type { TriggerEndpoint } from './trigger-server.js';

const MOST_TRIGGERS = 10;
const MOST_A_MINUTE = 30;
/** Most waiting messages in a mailbox. */
const MOST_UNTAKEN = 20;
const MINUTE_MS = 60_000;

type Open = TriggerEndpoint & {
  readonly agent: LiveCaller;
  readonly session: ScheduleOwners;
  readonly trigger: RemoteTrigger;
  readonly openedAt: number;
};

export function createRemoteTriggers({
  timers,
  agents,
  sessionOf,
}: {
  readonly timers: Timers;
  readonly agents: ReadonlyMap<AgentId, LiveCaller>;
  sessionOf(agent: LiveCaller): ScheduleOwners;
}): RemoteTriggers {
  const opened = new Map<string, Open>();
  const server = createSharedServer((id) => opened.get(id), timers);

  const listOf = (agentId: AgentId): readonly Open[] =>
    [...opened.values()].filter(({ agent }) => agent.parts.id === agentId);

  const remove = ({ trigger, session }: Open): void => {
    opened.delete(trigger.id);
    rmSync(trigger.tokenFile, { force: true });
    session.journal.append('schedule.jsonl', { type: 'trigger.closed', id: trigger.id });
    server.release();
  };

  return {
    async open(agentId, { name, prompt }) {
      const { createToken } = await import('../services/bearer-token.js');
      const agent = agents.get(agentId);
      if (agent === undefined) throw new ScheduleRefusedError('this agent is being ended');
      checkNew(name, listOf(agentId));
      const session = sessionOf(agent);
      const { journal } = session;
      const id = createShortId('trigger');
      const { token, tokenHash } = createToken();
      const tokenFile = journal.pathOf(`triggers/${id}.token`);
      const made = { id, name, prompt, tokenFile };
      const { url } = await server.acquire();
      if (agents.get(agentId) !== agent) {
        server.release();
        throw new ScheduleRefusedError('this agent is being ended');
      }
      writeFileSync(tokenFile, token, { mode: 0o600, flag: 'wx' });
      const trigger = { ...made, url: `${url}/${id}` };
      const openedAt = timers.now();
      const entrance = entranceOf(agent, session, made, timers);
      opened.set(id, { ...entrance, tokenHash, agent, session, trigger, openedAt });
      journal.append('schedule.jsonl', { type: 'trigger.opened', id, agentId, name, prompt });
      return trigger;
    },
    list: (agentId) => listOf(agentId).map(({ trigger }) => trigger),
    delete(agentId, id) {
      const own = listOf(agentId);
      const found = own.find(({ trigger }) => trigger.id === id);
      if (found !== undefined) return remove(found);
      const ids = own.map(({ trigger }) => trigger.id).join(', ');
      throw new ScheduleRefusedError(
        `no remote trigger of yours is called "${id}". ${ids === '' ? 'You have none' : `Yours: ${ids}`}`,
      );
    },
    forget(agentId) {
      for (const one of listOf(agentId)) remove(one);
    },
    all: () =>
      [...opened.values()].map(({ trigger, openedAt, agent }) => ({
        ...trigger,
        agentId: agent.parts.id,
        openedAt,
      })),
    async close() {
      for (const one of opened.values()) remove(one);
      await server.closed();
    },
  };
}

/** @throws ScheduleRefusedError if an agent can have no further trigger of this name */
function checkNew(name: string, own: readonly Open[]): void {
  if (own.length >= MOST_TRIGGERS)
    throw new ScheduleRefusedError(
      `you have ${MOST_TRIGGERS} remote triggers, which is the most: delete one`,
    );
  if (own.some(({ trigger }) => trigger.name === name))
    throw new ScheduleRefusedError(`you have a remote trigger "${name}" already`);
}

/** The entrance of data through a trigger: limited in its rate, and by the messages that the agent has not taken. */
function entranceOf(
  agent: LiveCaller,
  session: ScheduleOwners,
  { id, name, prompt }: Omit<RemoteTrigger, 'url'>,
  { stopwatch }: Stopwatch,
): Pick<TriggerEndpoint, 'busyFor' | 'take'> {
  const elapsed = stopwatch();
  let times: readonly number[] = [];
  let sent: readonly string[] = [];
  return {
    busyFor() {
      const now = elapsed();
      times = times.filter((at) => at > now - MINUTE_MS);
      sent = sent.filter((one) => agent.parts.inbox.has(one));
      const [first] = times;
      if (first !== undefined && times.length >= MOST_A_MINUTE)
        return Math.ceil((first + MINUTE_MS - now) / 1_000);
      return sent.length >= MOST_UNTAKEN ? MINUTE_MS / 1_000 : 0;
    },
    async take(data) {
      const text = triggeredText({ id, name, prompt }, data);
      const envelope = session.mail.envelope('notification', id, [textBlock(text)]);
      times = [...times, elapsed()];
      sent = [...sent, envelope.id];
      await session.mail.deliver(agent.parts, envelope);
    },
  };
}
