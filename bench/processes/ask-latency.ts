/**
 * How long an ask takes from the end of its tool_use block to the approver: the asker is three agents below the
 * session's own, and a sibling of it runs tools of two seconds meanwhile.
 */
import {
  buildTool,
  createOrchestrator,
  createScriptedModel,
  getEmptyToolPermissionContext,
  type Model,
  type ModelEvent,
  type ModelRequest,
} from 'troupe';
import type { ScriptedReply } from 'troupe/testing';
import { z } from 'zod';
import { readInput, sendResult } from '../processes.js';
import { withFolder } from '../temporary-folder.js';
import { Wait } from '../troupe-parts.js';

export type AskLatencyInput = { readonly asks: number; readonly warmUpAsks: number };
/** One for each ask after the warm-up. */
export type AskLatencyResult = { readonly latenciesMs: readonly number[] };

const { asks, warmUpAsks } = readInput<AskLatencyInput>();
const blockEndedAt = new Map<string, number>();
let isAskerDone = false;

/** Neither read-only nor allowed: each use is asked for. */
const Touch = buildTool({
  name: 'Touch',
  inputSchema: z.object({ count: z.number() }),
  call: ({ count }) => Promise.resolve({ data: count }),
});

await withFolder(async (folder) => {
  const latenciesMs: number[] = [];
  const troupe = createOrchestrator({
    cwd: folder,
    home: folder,
    model: stamp(createScriptedModel(reply)),
    tools: [Touch, Wait],
    agents: ['root', 'upper', 'lower', 'asker', 'sleeper'].map((name) => ({
      name,
      description: name,
      prompt: name,
    })),
    permissions: {
      ...getEmptyToolPermissionContext(),
      alwaysAllowRules: { session: ['Wait'] },
    },
  });
  troupe.approvals.onRequest(({ toolUseId }) => {
    latenciesMs.push(performance.now() - (blockEndedAt.get(toolUseId) ?? NaN));
    return Promise.resolve({ behavior: 'allow' });
  });
  await troupe.session({ prompt: 'Go.', agent: 'root' }).result;
  await troupe.close();
  if (latenciesMs.length !== asks + warmUpAsks)
    throw new Error(`${latenciesMs.length} asks came instead of ${asks + warmUpAsks}.`);
  await sendResult<AskLatencyResult>({ latenciesMs: latenciesMs.slice(warmUpAsks) });
});

function reply({ origin, messages }: ModelRequest): ScriptedReply {
  const replies = messages.filter(({ role }) => role === 'assistant').length;
  const start = (...types: readonly string[]): ScriptedReply =>
    replies > 0 ? { text: 'Done.' } : { tools: types.map(toAgentUse) };
  switch (origin.agentType) {
    case 'root':
      return start('upper');
    case 'upper':
      return start('lower');
    case 'lower':
      return start('sleeper', 'asker');
    case 'sleeper':
      return isAskerDone ? { text: 'Done.' } : { tools: [{ name: 'Wait', input: { ms: 2_000 } }] };
    default:
      if (replies < asks + warmUpAsks)
        return { tools: [{ name: 'Touch', input: { count: replies } }] };
      isAskerDone = true;
      return { text: 'Done.' };
  }
}

function toAgentUse(type: string) {
  const input = { subagent_type: type, description: type, prompt: 'Go.', run_in_background: false };
  return { name: 'Agent', input };
}

/** The same model, with the time noted at which each tool use was whole. */
function stamp(model: Model): Model {
  return { stream: async (request, options) => stamped(await model.stream(request, options)) };
}

async function* stamped(events: AsyncIterable<ModelEvent>): AsyncGenerator<ModelEvent> {
  let id: string | undefined;
  for await (const event of events) {
    if (event.type === 'content_block_start')
      id = (event['content_block'] as { readonly id?: string }).id; // tool uses have one
    if (event.type === 'content_block_stop' && id !== undefined)
      blockEndedAt.set(id, performance.now());
    yield event;
  }
}
