import type { ToolResultBlock } from '../../../src/core/messages.js';
import type { FakeRequest, FakeRequestBody } from '../../../src/testing/fake-messages-api.js';
import type { FakeReply } from '../../../src/testing/fake-reply.js';

type Step = FakeReply | ((request: FakeRequest) => FakeReply | Promise<FakeReply>);

/**
 * A handler for the fake: each conversation is answered by its own list of steps, found by its first prompt; the step is
 * the one after as many replies as the conversation has. The last step stands for all that follow.
 */
export function answer(
  conversations: Readonly<Record<string, readonly Step[]>>,
): (request: FakeRequest) => FakeReply | Promise<FakeReply> {
  return (request) => {
    const prompt = firstPrompt(request.body);
    const steps = conversations[prompt];
    if (steps === undefined) throw new Error(`nothing is said to the prompt "${prompt}"`);
    const turn = request.body.messages.filter(({ role }) => role === 'assistant').length;
    const step = steps[Math.min(turn, steps.length - 1)];
    if (step === undefined) throw new Error(`no step for the prompt "${prompt}"`);
    return typeof step === 'function' ? step(request) : step;
  };
}

/** The text of the first user message. */
export function firstPrompt(body: FakeRequestBody): string {
  const content = body.messages[0]?.content ?? '';
  if (typeof content === 'string') return content;
  return content.map((block) => String(block['text'] ?? '')).join('\n');
}

/** Requests of one conversation, in the order of arrival. */
export function requestsOf(
  { requests }: { readonly requests: readonly FakeRequest[] },
  prompt: string,
): readonly FakeRequest[] {
  return requests.filter(({ body }) => firstPrompt(body) === prompt);
}

type Block = { readonly type: string; readonly [key: string]: unknown };

/** Blocks of the newest user message. */
export function newestBlocks(request: FakeRequest | undefined): readonly Block[] {
  const content = request?.body.messages.at(-1)?.content ?? [];
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}

/** Tool results that the request brings, in its order. */
export function results(request: FakeRequest | undefined): readonly ToolResultBlock[] {
  const blocks = newestBlocks(request).filter(({ type }) => type === 'tool_result');
  return blocks as unknown as readonly ToolResultBlock[]; // the strict fake has checked their shape
}

/** All text of the newest user message: prompts, results, notifications. */
export function newestText(request: FakeRequest | undefined): string {
  return newestBlocks(request)
    .map((block) => textOf(block['text'] ?? block['content'] ?? ''))
    .join('\n');
}

export function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return (content as readonly Block[]).map((block) => textOf(block['text'] ?? '')).join('\n');
}

export function bash(command: string, more: Readonly<Record<string, unknown>> = {}) {
  return { name: 'Bash', input: { command, ...more } };
}

export function agent(prompt: string, more: Readonly<Record<string, unknown>> = {}) {
  const input = { description: prompt.slice(0, 40), prompt, subagent_type: 'general-purpose' };
  return { name: 'Agent', input: { ...input, ...more } };
}

export function write(path: string, content: string) {
  return { name: 'Write', input: { file_path: path, content } };
}
