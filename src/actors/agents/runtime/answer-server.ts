import { z } from 'zod';
import type { ElicitationRequest } from '../../../core/agents/elicitation.js';
import { messageOf, TroupeError } from '../../../core/errors.js';
import { given } from '../../../core/json/given.js';
import { resultText, type Message } from '../../../core/messages.js';
import type { JournalLines } from '../../../journal/journal.js';
import { ElicitationTool } from '../../../tools/mcp/elicitation.js';
import { fieldsOfForm, fillForm } from '../../../tools/mcp/elicitation-form.js';
import { McpSamplingTool } from '../../../tools/mcp/mcp-sampling.js';
import type {
  Elicited,
  Sampled,
  SamplingRequest,
} from '../../../tools/capabilities/server-requests.js';
import { modelNow } from '../parts/caller.js';
import { askFurther, type FurtherAsker } from '../permissions/further-request.js';
import { answerByHook, judgeAnswer } from './elicitation-hooks.js';
import { askForReply } from '../requests/ask-model.js';
import type { SamplingServices } from '../requests/sampling-services.js';

/** A call of a server's tool, and the services that answer the server. */
export type ServerQuestion = FurtherAsker & {
  readonly services: FurtherAsker['services'] &
    SamplingServices & { readonly journal: JournalLines };
};

/** Answer a question of a server: a hook or a person decides, and the values are checked by the server's own schema. */
export async function elicit(
  question: ServerQuestion,
  request: ElicitationRequest,
  signal: AbortSignal,
): Promise<Elicited> {
  const problem = problemOf(request);
  if (problem !== undefined) return { action: 'cancel', reason: problem };
  const { caller, services } = question;
  const answer =
    (await answerByHook(services.hooks, caller, request, signal)) ??
    (await askPerson(question, request, signal));
  return judgeAnswer(services.hooks, caller, request, answer, signal);
}

async function askPerson(
  question: ServerQuestion,
  request: ElicitationRequest,
  signal: AbortSignal,
): Promise<Elicited> {
  const decided = await askFurther(question, ElicitationTool, { ...request }, signal);
  if (decided.behavior === 'deny') {
    const { isUnasked, interrupt, message } = decided;
    if (isUnasked) return { action: 'decline', reason: message };
    return { action: interrupt ? 'cancel' : 'decline' };
  }
  const answer = Answer.safeParse(decided.edited ?? {}).data;
  if (answer?.action !== 'accept')
    return { action: 'decline', reason: 'It was allowed without an answer.' };
  if (request.requestedSchema === undefined) return { action: 'accept' };
  try {
    return { action: 'accept', content: fillForm(request.requestedSchema, answer.content ?? {}) };
  } catch (error) {
    return { action: 'decline', reason: `The answer does not fit the form: ${messageOf(error)}.` };
  }
}

/** The part of the edited input that answers a question. */
const Answer = z.object({
  action: z.literal('accept').optional(),
  content: z.unknown().optional(),
});

/** Why a question cannot be shown. */
function problemOf({ mode, url, requestedSchema }: ElicitationRequest): string | undefined {
  if (mode === 'url') {
    const { protocol = '' } = url !== undefined && URL.canParse(url) ? new URL(url) : {};
    return ['http:', 'https:'].includes(protocol) ? undefined : 'The address is no web page.';
  }
  if (requestedSchema === undefined) return 'The form has no schema.';
  try {
    fieldsOfForm(requestedSchema);
    return undefined;
  } catch (error) {
    return `The form cannot be used: ${messageOf(error)}.`;
  }
}

/** The rules or a person refused a model request of a server. */
class SamplingRefusedError extends TroupeError {
  override readonly name = 'SamplingRefusedError';
  readonly code = 'MCP_SAMPLING_REFUSED';

  constructor(server: string, why: string) {
    super(`The model request of the MCP server "${server}" was refused. ${why}`, {
      recoverable: true,
      details: { server },
    });
  }
}

/** Most characters of one request. */
const MAX_PROMPT_CHARS = 200_000;

/** Send a model request of a server, if the rules or a person allow it. The agent's budget pays. */
export async function sample(
  question: ServerQuestion,
  { serverName, systemPrompt, messages, maxTokens: wanted, modelHints, ...asked }: SamplingRequest,
  signal: AbortSignal,
): Promise<Sampled> {
  const { caller, services, call } = question;
  const own = modelNow(caller);
  const { env, limitModels } = services.settings;
  const model = modelFor(modelHints, own, limitModels.small(env) ?? own);
  const maxTokens = Math.min(wanted, services.maxTokens);
  const refuse = (why: string): never => {
    throw new SamplingRefusedError(serverName, why);
  };
  const { tools, toolChoice, stopSequences } = asked;
  const texts = messages.map((message) => ({ role: message.role, text: shownText(message) }));
  const described = tools.length === 0 ? '' : JSON.stringify(tools);
  const chars = [systemPrompt ?? '', described, ...texts.map(({ text }) => text)].join('').length;
  if (messages.length === 0) refuse('It has no messages.');
  if (chars > MAX_PROMPT_CHARS)
    refuse(`It has ${chars} characters; ${MAX_PROMPT_CHARS} are the most.`);
  const input = {
    serverName,
    model,
    maxTokens,
    ...given({ systemPrompt }),
    ...(tools.length > 0 && { tools: tools.map(({ name }) => name) }),
    messages: texts,
  };
  const decided = await askFurther(question, McpSamplingTool, input, signal);
  if (decided.behavior === 'deny') refuse(decided.message || 'The user denied it.');
  else if (decided.edited !== undefined)
    refuse('The decision edits the request, which is not possible: allow or deny it.');
  const system = systemPrompt === undefined ? [] : [systemPrompt];
  const { message, stopReason } = await askForReply(
    caller,
    services,
    { model, system, messages, maxTokens, tools, ...given({ toolChoice, stopSequences }) },
    {
      signal,
      onActivity: () => {},
      onUsed: (used) =>
        void services.journal.append(services.journal.agentFile(caller.id), {
          type: 'helper.asked',
          toolUseId: call.block.id,
          call: used,
        }),
    },
  );
  return { model, message, stopReason };
}

/** A message for the person who decides. */
function shownText({ content }: Message): string {
  return content
    .map((block) => {
      if (block.type === 'tool_use') return `[calls ${block.name}: ${JSON.stringify(block.input)}]`;
      if (block.type === 'tool_result') return `[result: ${resultText(block, '[an image]')}]`;
      return block.type === 'text' ? block.text : '[an image]';
    })
    .join('');
}

/** A server may ask for the small model; otherwise the agent's own model answers. */
function modelFor(hints: readonly string[], own: string, small: string): string {
  const wanted = hints.find((hint) => hint !== '' && (own.includes(hint) || small.includes(hint)));
  return wanted === undefined || own.includes(wanted) ? own : small;
}
