import type { Envelope } from '../../../core/events.js';
import { hookKey } from '../../../journal/entries/step-key.js';
import type { HookCause } from '../../hooks/hook-cause.js';
import { mergeVerdict, type HookVerdict } from '../../hooks/hook-verdict.js';
import type { OwnFields, SessionHooks } from '../../hooks/session-hooks.js';
import type { HookEvent } from '../../../settings/hook-events.js';
import { emitFrom } from '../../services/event-bus.js';
import type { AgentParts } from '../parts/agent-parts.js';
import { hookSubject } from '../parts/hook-subject.js';

/**
 * The hooks around an agent's turns. Each outcome is journaled once for its cause, before its effect: a resume runs no
 * hook again that has ended.
 */
export interface TurnHooks {
  /**
   * Run the hooks of the session's start. The first turn waits for them, and begins with their texts.
   *
   * @param deliver sends the agent a prompt of a hook if no prompt waits
   */
  startSession(
    source: OwnFields<'SessionStart'>['source'],
    deliver: (prompt: string) => Promise<void>,
  ): void;
  /**
   * Run the hooks for the messages that wait.
   *
   * @returns how each of them is changed; undefined if none is
   */
  admit(): Promise<((envelope: Envelope) => Envelope) | undefined>;
  /** Run the hooks before the agent ends its turn. Returns the message with which it continues, if it does. */
  beforeEnd(turn: { readonly turn: number; readonly text: string }): Promise<string | undefined>;
  /** Whether there are hooks before the agent ends its turn. */
  readonly mayContinue: boolean;
  abort(): void;
}

type RunHooks = <Event extends HookEvent>(
  event: Event,
  own: OwnFields<Event>,
  matched?: HookCause['matched'],
) => Promise<HookVerdict>;

type Verdict = Pick<HookVerdict, 'context'> & { readonly blocked?: string };

/** The first line of a message that keeps an agent working. It is part of cached prompts, so it must not change. */
const FEEDBACK = 'Stop hook feedback:';
/** Blocks in a row after which the turn ends anyway. */
const MOST_BLOCKS = 8;

export function createTurnHooks(parts: AgentParts, hooks: SessionHooks | undefined): TurnHooks {
  const { stepContext, inbox, conversation, depth } = parts;
  const isRoot = depth === 0;
  const endEvent = isRoot ? 'Stop' : 'SubagentStop';
  let controller = new AbortController();
  let opening: Promise<Verdict> | undefined;
  /** Texts that no message has carried yet. */
  let waiting: readonly string[] = [];

  const run: RunHooks = async (event, own, matched = []) => {
    const none = { objections: [], context: [], stops: undefined, prompts: [] };
    if (hooks?.has(event, matched) !== true) return none;
    const cause = { ...hookSubject(parts), matched };
    return mergeVerdict(await hooks.run(event, cause, own, controller.signal));
  };

  const once = <T>(event: HookEvent, cause: string, ask: () => Promise<T>): Promise<T> =>
    stepContext.step(hookKey(event, cause), ask, { isHarmless: true });

  const startAgent = (): Promise<Verdict> =>
    once('SubagentStart', 'start', async () =>
      toVerdict(await run('SubagentStart', { agent_id: parts.taskId }, [parts.type])),
    );

  const judge = (envelope: Envelope): Promise<Verdict> =>
    once('UserPromptSubmit', envelope.id, async () => {
      const verdict = toVerdict(await run('UserPromptSubmit', { prompt: textIn(envelope) }));
      if (!controller.signal.aborted) return verdict;
      return { context: [], blocked: 'The prompt was interrupted before its hooks had ended.' };
    });

  const judgeAll = async (judged: Map<string, Verdict>): Promise<void> => {
    for (;;) {
      const next = inbox.list().find(({ kind, id }) => kind === 'prompt' && !judged.has(id));
      if (next === undefined) return;
      judged.set(next.id, await judge(next));
    }
  };

  return {
    get mayContinue() {
      return hooks?.hasAny(endEvent) === true;
    },
    startSession(source, deliver) {
      if (hooks?.has('SessionStart', [source]) !== true) return;
      const verdict = run('SessionStart', { source, model: parts.model }, [source]);
      opening = verdict.then(async ({ prompts, ...others }) => {
        const start = toVerdict(others);
        if (inbox.list().some(({ kind }) => kind === 'prompt'))
          return { ...start, context: [...start.context, ...prompts] };
        if (start.blocked === undefined) for (const prompt of prompts) await deliver(prompt);
        return start;
      });
      opening.catch(() => undefined); // the first turn awaits it
    },
    async admit() {
      if (hooks === undefined) return undefined;
      controller = new AbortController();
      const isNew = !isRoot && conversation.messages.length === 0;
      if (isNew && hooks.hasAny('SubagentStart')) opening ??= startAgent();
      const start = await opening;
      opening = undefined;
      waiting = [...waiting, ...(start?.context ?? [])];
      const judged = new Map<string, Verdict>();
      if (start?.blocked !== undefined)
        for (const { id, kind } of inbox.list()) if (kind === 'prompt') judged.set(id, start);
      if (isRoot && hooks.hasAny('UserPromptSubmit')) await judgeAll(judged);
      if (waiting.length === 0 && judged.size === 0) return undefined;
      return (envelope) => {
        const { context = [], blocked } = judged.get(envelope.id) ?? {};
        if (blocked !== undefined) return { ...envelope, blocked };
        const before = waiting;
        waiting = [];
        return { ...envelope, ...filled('before', before), ...filled('after', context) };
      };
    },
    async beforeEnd({ turn, text }) {
      if (hooks?.hasAny(endEvent) !== true) return undefined;
      controller = new AbortController();
      const ask = () => askToContinue(parts, hooks, run, text);
      return (await once(endEvent, String(turn), ask)).feedback;
    },
    abort: () => controller.abort(new DOMException('The agent was stopped.', 'AbortError')),
  };
}

/** Run the hooks at the end of a turn: their feedback keeps the agent working, unless it has too often. */
async function askToContinue(
  parts: AgentParts,
  hooks: SessionHooks,
  run: RunHooks,
  text: string,
): Promise<{ readonly feedback?: string }> {
  const { id, taskId, depth, type, stepContext } = parts;
  const blocks = countFeedback(parts);
  const said = { stop_hook_active: blocks > 0, last_assistant_message: text };
  const agent = { agent_id: taskId, agent_transcript_path: hooks.transcriptOf(id) };
  const { objections, context, stops } =
    depth === 0
      ? await run('Stop', said)
      : await run('SubagentStop', { ...said, ...agent }, [type]);
  const texts = [...objections, ...context];
  if (texts.length === 0 || stops !== undefined) return {};
  if (blocks < MOST_BLOCKS) return { feedback: [FEEDBACK, ...texts].join('\n') };
  const event = depth === 0 ? 'Stop' : 'SubagentStop';
  const message = `it has kept the agent working ${blocks} times in a row, so the turn ends`;
  const notice = { event, hook: event, message, isFailure: true };
  emitFrom(stepContext, { type: 'hook.notice', args: [notice] });
  return {};
}

/** Whether a message is the feedback of hooks. */
export function isFeedback(text: string): boolean {
  return text.startsWith(FEEDBACK);
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

/** How often hooks have kept the agent working since its newest prompt. */
function countFeedback({ conversation }: AgentParts): number {
  const prompts: ReadonlySet<unknown> = new Set(conversation.prompts);
  let count = 0;
  for (const { role, content } of conversation.messages.toReversed()) {
    if (role !== 'user') continue;
    count += content.filter((block) => block.type === 'text' && isFeedback(block.text)).length;
    if (content.some((block) => prompts.has(block))) return count;
  }
  return count;
}
