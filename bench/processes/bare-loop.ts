/** The floor: a loop over the SDK's raw events that starts each tool as soon as its block ends, and nothing else. */
import { setTimeout as delay } from 'node:timers/promises';
import Anthropic from '@anthropic-ai/sdk';
import { measureConversation, type Converse } from '../conversation-run.js';
import { MAX_TOKENS, MODEL, SYSTEM } from '../scenario.js';

const TOOLS: Anthropic.Tool[] = [
  {
    name: 'Echo',
    description: 'Echo',
    input_schema: {
      type: 'object',
      properties: { text: { type: 'string' }, chars: { type: 'number' } },
      required: ['text'],
    },
  },
  {
    name: 'Wait',
    description: 'Wait',
    input_schema: { type: 'object', properties: { ms: { type: 'number' } }, required: ['ms'] },
  },
  {
    name: 'Agent',
    description: 'Agent',
    input_schema: {
      type: 'object',
      properties: { prompt: { type: 'string' } },
      required: ['prompt'],
    },
  },
];

await measureConversation(({ url }) => {
  const client = new Anthropic({ baseURL: url, apiKey: 'bench', maxRetries: 0 });
  return Promise.resolve({ converse: createLoop(client), close: () => Promise.resolve() });
});

function createLoop(client: Anthropic): Converse {
  const converse: Converse = async (prompt, onEcho) => {
    const messages: Anthropic.MessageParam[] = [{ role: 'user', content: prompt }];
    for (;;) {
      const content: Anthropic.ContentBlockParam[] = [];
      const results: Promise<Anthropic.ToolResultBlockParam>[] = [];
      let text = '';
      let use: Anthropic.ToolUseBlock | undefined;
      const events = await client.messages.create({
        model: MODEL,
        max_tokens: MAX_TOKENS,
        system: SYSTEM,
        tools: TOOLS,
        messages,
        stream: true,
      });
      for await (const event of events) {
        if (event.type === 'content_block_start') {
          text = '';
          use = event.content_block.type === 'tool_use' ? event.content_block : undefined;
        } else if (event.type === 'content_block_delta') {
          if (event.delta.type === 'text_delta') text += event.delta.text;
          if (event.delta.type === 'input_json_delta') text += event.delta.partial_json;
        } else if (event.type === 'content_block_stop') {
          if (use === undefined) content.push({ type: 'text', text });
          else {
            const { id, name } = use;
            const input = JSON.parse(text) as ToolInput; // of one of the two tools
            content.push({ type: 'tool_use', id, name, input });
            results.push(run(id, name, input, onEcho, converse));
          }
        }
      }
      messages.push({ role: 'assistant', content });
      if (results.length === 0) return;
      messages.push({ role: 'user', content: await Promise.all(results) });
    }
  };
  return converse;
}

type ToolInput = {
  readonly text?: string;
  readonly chars?: number;
  readonly ms?: number;
  readonly prompt?: string;
};

async function run(
  id: string,
  name: string,
  { text = '', chars = 0, ms = 0, prompt = '' }: ToolInput,
  onEcho: () => void,
  converse: Converse,
): Promise<Anthropic.ToolResultBlockParam> {
  if (name === 'Echo') onEcho();
  else if (name === 'Agent') await converse(prompt, onEcho);
  else await delay(ms);
  const content = name === 'Echo' ? text.padEnd(chars, '.') : 'done';
  return { type: 'tool_result', tool_use_id: id, content };
}
