import type { Failure } from '../../../core/failure.js';
import type { AgentId } from '../../../core/ids.js';
import type { OwnFields, SessionHooks } from '../../hooks/session-hooks.js';
import type { HookEvent } from '../../../settings/schema/hook-events.js';
import { emitFrom } from '../../services/event-bus.js';
import type { AgentParts } from '../parts/agent-parts.js';
import { isApiFailure, toApiErrorKind } from '../../contract/api-error.js';
import { newestBatch, toBatchVerdict, type BatchVerdict } from './batch-hooks.js';
import type { HookRuns } from './hook-runs.js';

/** The team of an agent and its name in it; undefined for an agent that is no teammate. */
export type MemberOf = (id: AgentId) => OwnFields<'TeammateIdle'> | undefined;

/** The decision of hooks at the end of a turn. */
export type EndVerdict = {
  /** The message with which the agent continues. */
  readonly feedback?: string;
  /** The agent ends and takes no further message. */
  readonly closes?: true;
};

/** The first line of a message that keeps an agent working. It is part of cached prompts, so it must not change. */
const FEEDBACK = 'Stop hook feedback:';
/** Blocks in a row after which the turn ends anyway. */
const MOST_BLOCKS = 8;

/** The hooks after an agent's tool calls, requests and turns. */
export interface EndHooks {
  /** Run the hooks between tool calls and the next request. They may end the turn, and add texts for the model. */
  afterBatch(turn: number): Promise<BatchVerdict>;
  /** Run the hooks before the agent ends its turn. */
  beforeEnd(turn: { readonly turn: number; readonly text: string }): Promise<EndVerdict>;
  /** Run the hooks after a model request that failed. */
  afterFailure(failure: Failure): Promise<void>;
  /** Whether there are hooks before the agent ends its turn. */
  readonly mayContinue: boolean;
}

export function createEndHooks(
  parts: AgentParts,
  hooks: SessionHooks | undefined,
  runs: HookRuns,
  memberOf: MemberOf,
): EndHooks {
  const { conversation, depth } = parts;
  const { run, once } = runs;
  const endEvent = depth === 0 ? 'Stop' : 'SubagentStop';
  return {
    get mayContinue() {
      if (hooks?.mayHave(endEvent) === true) return true;
      return hooks?.hasAny('TeammateIdle') === true && memberOf(parts.id) !== undefined;
    },
    async afterBatch(turn) {
      if (hooks?.hasAny('PostToolBatch') !== true) return {};
      const tool_calls = newestBatch(conversation);
      if (tool_calls.length === 0) return {};
      runs.renew();
      return once('PostToolBatch', String(turn), async () =>
        toBatchVerdict(await run('PostToolBatch', { tool_calls })),
      );
    },
    async beforeEnd({ turn, text }) {
      if (hooks === undefined || hooks.isEmpty()) return {};
      runs.renew();
      const ended = hooks.hasAny(endEvent)
        ? await once(endEvent, String(turn), () => askToContinue(parts, hooks, run, text))
        : {};
      const member = memberOf(parts.id);
      if (ended.feedback !== undefined || member === undefined || !hooks.hasAny('TeammateIdle'))
        return ended;
      return once('TeammateIdle', String(turn), () => askToStay(parts, run, member));
    },
    async afterFailure(failure) {
      if (hooks?.hasAny('StopFailure') !== true || !isApiFailure(failure)) return;
      const error = toApiErrorKind(failure.code);
      const { message } = failure;
      const own = {
        error,
        error_details: message,
        last_assistant_message: `API Error: ${message}`,
      };
      await run('StopFailure', own, [error]);
    },
  };
}

/** Run the hooks at the end of a turn: their feedback keeps the agent working, unless it has too often. */
async function askToContinue(
  parts: AgentParts,
  hooks: SessionHooks,
  run: HookRuns['run'],
  text: string,
): Promise<EndVerdict> {
  const { id, taskId, depth, type, stepContext } = parts;
  const blocks = countFeedback(parts);
  const said = {
    stop_hook_active: blocks > 0,
    last_assistant_message: text,
    ...(await hooks.remainingWork()),
  };
  const ofAgent = () => ({ agent_id: taskId, agent_transcript_path: hooks.writeTranscript(id) });
  const { objections, context, stops } =
    depth === 0
      ? await run('Stop', said)
      : await run('SubagentStop', { ...said, ...ofAgent() }, [type]);
  const texts = [...objections, ...context];
  if (texts.length === 0 || stops !== undefined) return {};
  return feedbackOf(texts, blocks, depth === 0 ? 'Stop' : 'SubagentStop', stepContext);
}

/** Run the hooks before a teammate is idle: their feedback keeps it working, unless it has too often. */
async function askToStay(
  parts: AgentParts,
  run: HookRuns['run'],
  member: OwnFields<'TeammateIdle'>,
): Promise<EndVerdict> {
  const { objections, stops } = await run('TeammateIdle', member);
  if (stops !== undefined) return { closes: true };
  if (objections.length === 0) return {};
  return feedbackOf(objections, countFeedback(parts), 'TeammateIdle', parts.stepContext);
}

function feedbackOf(
  texts: readonly string[],
  blocks: number,
  event: HookEvent,
  stepContext: AgentParts['stepContext'],
): EndVerdict {
  if (blocks < MOST_BLOCKS) return { feedback: [FEEDBACK, ...texts].join('\n') };
  const message = `it has kept the agent working ${blocks} times in a row, so the turn ends`;
  const notice = { event, hook: event, message, isFailure: true };
  emitFrom(stepContext, { type: 'hook.notice', args: [notice] });
  return {};
}

/** Whether a message is the feedback of hooks. */
export function isFeedback(text: string): boolean {
  return text.startsWith(FEEDBACK);
}

/** How often hooks have kept the agent working since its newest prompt. */
function countFeedback({ conversation }: AgentParts): number {
  const prompts: ReadonlySet<unknown> = new Set(conversation.prompts());
  let count = 0;
  for (const { role, content } of conversation.messages().toReversed()) {
    if (role !== 'user') continue;
    count += content.filter((block) => block.type === 'text' && isFeedback(block.text)).length;
    if (content.some((block) => prompts.has(block))) return count;
  }
  return count;
}
