/** The floor of a start: imports the SDK and sends one request. */
import Anthropic from '@anthropic-ai/sdk';
import { MAX_TOKENS, MODEL } from '../scenario.js';

const client = new Anthropic({ maxRetries: 0 });
const events = await client.messages.create({
  model: MODEL,
  max_tokens: MAX_TOKENS,
  messages: [{ role: 'user', content: 'hi' }],
  stream: true,
});
for await (const event of events) void event;
