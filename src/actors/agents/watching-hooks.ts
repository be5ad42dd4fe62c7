import type { AgentId, TaskId } from '../../core/ids.js';
import type { TaskOutcome } from '../../core/task-types.js';
import type { HookEvent } from '../../settings/schema/hook-events.js';
import { liveAgentOf, type AgentDirectory } from './agent-directory.js';
import { hookCause, hookSubject, type HookedAgent } from './parts/hook-subject.js';
import type { SessionHooks } from '../hooks/session-hooks.js';
import { hearOfModel } from './parts/heard-by-hooks.js';
import { costOfSwitch } from './parts/switch-cost.js';
import type { ModelPrices } from '../../usage/prices.js';
import type { UsageLedger } from '../../usage/usage-ledger.js';
import type { HookSubject } from '../hooks/hook-cause.js';
import type { WatchedFiles } from '../hooks/watched-files.js';
import { notifyPerson, type NotifyingOwners } from './notify-person.js';
import type { EventSource } from '../services/event-bus.js';

export type WatchingHooksOwners = NotifyingOwners & {
  readonly hooks: SessionHooks;
  readonly bus: EventSource;
  readonly agents: Pick<AgentDirectory, 'live' | 'ofTask'>;
  readonly options: { readonly taskId: TaskId };
  readonly settings: { readonly cwd: string; readonly prices?: ModelPrices | undefined };
  readonly shared: { readonly ledger: UsageLedger };
};

type WatchedAgent = HookedAgent & Parameters<typeof costOfSwitch>[1] & { readonly id: AgentId };

/** The hooks of a session that only watch. */
export interface WatchingHooks {
  /** Also run hooks of events that had none so far. */
  again(): void;
  /** Run the hooks for files that have changed, and stop watching. */
  end(): Promise<void>;
}

/**
 * Run hooks that only watch: nothing waits for them, and they end with their agent's task.
 */
export function watchForHooks(owners: WatchingHooksOwners): WatchingHooks {
  const { hooks, bus, agents, options, settings } = owners;
  const { ledger } = owners.shared;
  let endNotices = (): void => {};
  let files: Promise<WatchedFiles> | undefined;
  const subject = (): HookSubject | undefined => {
    const agent = liveAgentOf(agents, options.taskId);
    return agent && hookSubject(agent.parts);
  };
  const { signal } = new AbortController();
  const partsOf = (id: AgentId): WatchedAgent | undefined => agents.live.get(id)?.parts;
  const unheard = (): void => {}; // the session is over and its journal closed, so nobody would see the error

  const heard = new Set<HookEvent>();
  const isNew = (event: HookEvent): boolean =>
    hooks.hasAny(event) && !heard.has(event) && heard.add(event).size > 0;
  const listen = (): void => {
    if (isNew('Notification')) endNotices = notifyPerson(owners);
    if (isNew('MessageDisplay')) {
      let turn_id = '';
      bus.on('agent.message', (origin, { role, content }, { uuid, mail }) => {
        if (role === 'user' && mail === 'prompt') turn_id = uuid;
        const parts = partsOf(origin.agentId);
        if (role !== 'assistant' || parts?.depth !== 0) return;
        const delta = content.flatMap((one) => (one.type === 'text' ? [one.text] : [])).join('');
        const own = { turn_id, message_id: uuid, index: 0, final: true, delta };
        if (delta !== '') hooks.run('MessageDisplay', hookCause(parts), own, signal).catch(unheard);
      });
    }
    if (isNew('PostModelSwitch'))
      bus.on('agent.fallback', ({ agentId }, { from, to }) => {
        const parts = partsOf(agentId);
        if (parts?.depth !== 0) return;
        const prices = { ledger, prices: settings.prices };
        const cost = () => costOfSwitch(to, parts, prices);
        hearOfModel(hooks, parts, { from, to, asked: null, source: 'auto', cost });
      });
    if (isNew('FileChanged'))
      files = import('../hooks/watched-files.js').then(({ watchFiles }) =>
        watchFiles(hooks, settings.cwd, subject),
      );
  };
  listen();
  return {
    again: listen,
    async end() {
      endNotices();
      const watched = await files;
      await watched?.settle();
      watched?.close();
    },
  };
}

/** Run the hooks of the end of a session, wait for all that run, and cancel those in the background. */
export async function endForHooks(
  owners: Pick<WatchingHooksOwners, 'agents' | 'hooks'> & { readonly watching: WatchingHooks },
  taskId: TaskId,
  outcome: TaskOutcome | undefined,
): Promise<void> {
  const { hooks, watching } = owners;
  await watching.end();
  if (hooks.hasAny('SessionEnd')) await runAtEnd(owners, taskId);
  await hooks.endRuns({ isKilled: outcome?.status === 'killed' });
}

async function runAtEnd(
  { hooks, agents }: Pick<WatchingHooksOwners, 'agents' | 'hooks'>,
  taskId: TaskId,
): Promise<void> {
  const agent = liveAgentOf(agents, taskId);
  if (agent === undefined) return;
  const cause = { ...hookSubject(agent.parts), matched: ['other'] };
  const { signal } = new AbortController();
  await hooks.run('SessionEnd', cause, { reason: 'other' }, signal);
}
