import type { FakeRequest, FakeRequestBody } from '../../../../src/testing/fake-messages-api.js';
import { eventsOf } from '../../../../src/testing/fake-reply.js';
import type { ModelEvent } from '../../../../src/model/model.js';
import type { ScriptedReply } from '../../../../src/model/scripted/script.js';
import { firstPrompt, textOf } from '../answers.js';
import { COORDINATOR, type Part, type SoakPlan } from './soak-plan.js';

type Block = { readonly type: string; readonly [key: string]: unknown };
export type ScriptedUse = {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
};
export type Reply = { readonly text: string; readonly tools: readonly ScriptedUse[] };

/** The mark of the agent that makes a request: its first message begins with it, also after a compaction. */
export function partOf(plan: SoakPlan, body: FakeRequestBody): Part {
  const [mark] = /\[\[\w+\]\]/.exec(firstPrompt(body)) ?? [];
  const part = plan.parts.find((one) => one.mark === mark);
  if (part === undefined) throw new Error(`nobody is asked "${firstPrompt(body).slice(0, 200)}"`);
  return part;
}

export function isSummaryRequest({ tools }: FakeRequestBody): boolean {
  return !Array.isArray(tools) || tools.length === 0;
}

/** A summary has all that is needed to continue: the marks of the uses that are done. */
export function summarize(body: FakeRequestBody): string {
  const marks = firstPrompt(body).match(/\[\[\w+\]\]|\bc\d{3}[a-z]\b/g) ?? [];
  return `${COORDINATOR} has done ${[...new Set(marks)].join(' ')}.`;
}

/** The next reply, from the conversation alone: so any process can continue it. */
export function replyTo(part: Part, body: FakeRequestBody): Reply & { readonly step: number } {
  const blocks = blocksOf(body);
  const unstarted = findUnstarted(blocks);
  const inputs = blocks.flatMap((block) =>
    block.type === 'tool_use' && !unstarted.has(String(block['id'])) ? [block['input']] : [],
  );
  const said = `${JSON.stringify(inputs)}${isCompacted(body) ? firstPrompt(body) : ''}`;
  const lost = findLost(blocks).filter((id) => !said.includes(id));
  const step = part.steps.findIndex((uses) => uses.some(({ mark }) => !said.includes(mark)));
  if (lost.length > 0) return { step: -1, text: 'They continue.', tools: lost.map(resume) };
  const uses = part.steps[step];
  if (uses === undefined) return { step, text: `${part.mark} is done.`, tools: [] };
  const tools = uses.filter(({ mark }) => !said.includes(mark));
  return { step, text: `Step ${step}.`, tools: tools.map(({ name, input }) => ({ name, input })) };
}

/** Sub-agents that were lost with a process, by the notifications of their parent. */
function findLost(blocks: readonly Block[]): readonly string[] {
  return blocks.flatMap((block) => {
    const text = textOf(block['text'] ?? block['content']);
    if (block.type === 'text') {
      const [, id = ''] = /<task-id>(a\w+)<\/task-id>[^]*<result>Lost with/.exec(text) ?? [];
      return id === '' ? [] : [id];
    }
    const [, id = ''] = /had started the sub-agent (\w+), which was lost/.exec(text) ?? [];
    return block.type !== 'tool_result' || id === '' ? [] : [id];
  });
}

/** IDs of calls whose process was killed before they started their sub-agent. */
function findUnstarted(blocks: readonly Block[]): ReadonlySet<string> {
  return new Set(
    blocks.flatMap(({ type, tool_use_id: id, content }) =>
      type === 'tool_result' && hasStartedNone(textOf(content)) ? [String(id)] : [],
    ),
  );
}

/** Whether the result of a call says that the sub-agent was not started. */
export function hasStartedNone(result: string): boolean {
  return result.includes('no record of a sub-agent');
}

function resume(id: string): ScriptedUse {
  const isBackgrounded = id.charCodeAt(id.length - 1) % 2 === 0;
  const input = { description: 'continue', prompt: 'Continue.', subagent_type: 'general-purpose' };
  return { name: 'Agent', input: { ...input, resume: id, run_in_background: isBackgrounded } };
}

function isCompacted(body: FakeRequestBody): boolean {
  return firstPrompt(body).includes(`${COORDINATOR} has done`);
}

export function blocksOf({ messages }: FakeRequestBody): readonly Block[] {
  return messages.flatMap(({ content }): readonly Block[] =>
    typeof content === 'string' ? [{ type: 'text', text: content }] : content,
  );
}

/** The usage that the fake bills for request `index`: no two requests have the same. */
export function billOf(index: number): { readonly input: number; readonly output: number } {
  return { input: 2_000 + index, output: 100 + index };
}

/** The reply with its bill: the prompt in its first event, the rest in the one before the last. */
export function bill(
  { body, index }: FakeRequest,
  reply: ScriptedReply,
): { readonly events: readonly ModelEvent[] } {
  const { input, output } = billOf(index);
  const events = eventsOf(reply, { model: body.model, sequence: index }).map((event) => {
    if (event.type === 'message_start') {
      const usage = { input_tokens: input, output_tokens: 1 };
      return { ...event, message: { ...(event['message'] as object), usage } }; // as eventsOf makes it
    }
    return event.type === 'message_delta' ? { ...event, usage: { output_tokens: output } } : event;
  });
  return { events };
}
