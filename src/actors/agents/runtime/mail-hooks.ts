import type { AgentIdentity } from '../../../core/agents/agent-identity.js';
import type { Envelope } from '../../../core/events.js';
import type { HookVerdict } from '../../hooks/hook-verdict.js';
import type { EventHooks, OwnFields, PromptHooks } from '../../hooks/session-hooks.js';
import type { Mailbox } from '../../mail/mailbox.js';
import type { Conversation } from '../conversation/conversation.js';
import { hookCause, type HookedAgent } from '../parts/hook-subject.js';
import type { HookRuns } from './hook-runs.js';

type Verdict = Pick<HookVerdict, 'context'> & { readonly blocked?: string };

/** The hooks in front of an agent's messages. */
export interface MailHooks {
  /**
   * Run the hooks of the session's start. The first turn waits for them, and begins with their texts.
   *
   * @param deliver sends the agent a prompt of a hook if no prompt waits
   * @param setup the reason why hooks of `Setup` run first
   * @returns resolves when they have ended; undefined without hooks
   */
  startSession(
    source: OwnFields<'SessionStart'>['source'],
    deliver: (prompt: string) => Promise<void>,
    setup?: OwnFields<'Setup'>['trigger'],
  ): Promise<unknown> | undefined;
  /**
   * Run the hooks for the messages that wait.
   *
   * @returns how each of them is changed; undefined if none is
   */
  admit(): Promise<((envelope: Envelope) => Envelope) | undefined>;
}

/** An agent that reads messages. */
type ReadingAgent = HookedAgent &
  Pick<AgentIdentity, 'id' | 'taskId'> & {
    readonly model: string;
    readonly inbox: Mailbox;
    readonly conversation: Conversation;
  };

export function createMailHooks(
  parts: ReadingAgent,
  hooks: (EventHooks & PromptHooks) | undefined,
  runs: HookRuns,
): MailHooks {
  const { inbox, conversation, depth } = parts;
  const { run, once } = runs;
  const isRoot = depth === 0;
  let opening: Promise<Verdict> | undefined;
  /** Texts that no message has carried yet. */
  let waiting: readonly string[] = [];

  const startAgent = (): Promise<Verdict> =>
    once('SubagentStart', 'start', async () =>
      toVerdict(await run('SubagentStart', { agent_id: parts.taskId }, [parts.type])),
    );

  const judge = (envelope: Envelope): Promise<Verdict> =>
    once('UserPromptSubmit', envelope.id, async () => {
      hooks?.beginPrompt(envelope);
      const verdict = toVerdict(await run('UserPromptSubmit', { prompt: textIn(envelope) }));
      if (!runs.signal.aborted) return verdict;
      return { context: [], blocked: 'The prompt was interrupted before its hooks had ended.' };
    });

  const judgeAll = async (judged: Map<string, Verdict>): Promise<void> => {
    for (;;) {
      const next = inbox
        .list()
        .find(
          ({ kind, id, blocked }) => kind === 'prompt' && blocked === undefined && !judged.has(id),
        );
      if (next === undefined) return;
      judged.set(next.id, await judge(next));
    }
  };

  return {
    startSession(source, deliver, setup) {
      const isSetUp = setup !== undefined && hooks?.hasAny('Setup') === true;
      const isHeard = hooks?.has('SessionStart', hookCause(parts, [source])) === true;
      if (!isSetUp && !isHeard) return undefined;
      const start = (): Promise<HookVerdict> =>
        run('SessionStart', { source, model: parts.model }, [source]);
      const prepare = isSetUp ? run('Setup', { trigger: setup }, [setup]) : undefined;
      const verdict = prepare?.then(async ({ context }) => {
        const { context: more, ...others } = await start();
        return { ...others, context: [...context, ...more] };
      });
      opening = (verdict ?? start()).then(async ({ prompts, ...others }) => {
        const begun = toVerdict(others);
        if (inbox.list().some(({ kind }) => kind === 'prompt'))
          return { ...begun, context: [...begun.context, ...prompts] };
        if (begun.blocked === undefined) for (const prompt of prompts) await deliver(prompt);
        return begun;
      });
      return opening.catch(() => undefined); // the first turn awaits it
    },
    async admit() {
      if (hooks === undefined || hooks.isEmpty()) return undefined;
      runs.renew();
      const isNew = !isRoot && conversation.messages().length === 0;
      if (isNew && hooks.hasAny('SubagentStart')) opening ??= startAgent();
      const start = await opening;
      opening = undefined;
      waiting = [...waiting, ...(await hooks.takeLate(parts.id)), ...(start?.context ?? [])];
      const judged = new Map<string, Verdict>();
      if (start?.blocked !== undefined)
        for (const { id, kind } of inbox.list()) if (kind === 'prompt') judged.set(id, start);
      if (isRoot && hooks.hasAny('UserPromptSubmit')) await judgeAll(judged);
      const prompt = isRoot ? inbox.list().findLast(({ kind }) => kind === 'prompt') : undefined;
      if (prompt !== undefined) hooks.beginPrompt(prompt);
      if (waiting.length === 0 && judged.size === 0) return undefined;
      return (envelope) => {
        if (envelope.blocked !== undefined) return envelope;
        const { context = [], blocked } = judged.get(envelope.id) ?? {};
        if (blocked !== undefined) return { ...envelope, blocked };
        const before = waiting;
        waiting = [];
        return { ...envelope, ...filled('before', before), ...filled('after', context) };
      };
    },
  };
}

function toVerdict({ context, objections, stops }: Omit<HookVerdict, 'prompts'>): Verdict {
  const why = [...objections, ...(stops === undefined ? [] : [stops])];
  return why.length === 0 ? { context } : { context: [], blocked: why.join('\n') };
}

function textIn({ content }: Envelope): string {
  return content.flatMap(({ text }) => (typeof text === 'string' ? [text] : [])).join('\n');
}

function filled(name: 'before' | 'after', texts: readonly string[]) {
  return texts.length === 0 ? {} : { [name]: texts };
}
