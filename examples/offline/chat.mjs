// The replies of the model in the chat. Each answers the newest prompt and remembers the earlier ones.
import { goOffline, newestResults } from './place.mjs';

export async function startChat() {
  const offline = await goOffline('chat', ({ body: { messages } }) => {
    const texts = messages.flatMap(({ role, content }) =>
      role === 'user' && typeof content !== 'string'
        ? content.filter(({ type }) => type === 'text').map(({ text }) => text)
        : [],
    );
    const last = messages.at(-1).content;
    if (last.some(({ type }) => type === 'tool_result'))
      return { text: `So it is: ${newestResults({ messages }).join(' ')}` };
    const prompt = texts.at(-1) ?? '';
    if (prompt.startsWith('Remember'))
      return {
        tools: [{ name: 'mcp__notes__remember', input: { key: 'ferry', value: '9:40' } }],
      };
    if (prompt.startsWith('When'))
      return { tools: [{ name: 'mcp__notes__recall', input: { key: 'ferry' } }] };
    if (prompt.startsWith('Tell'))
      return {
        text: 'Once upon a time there was a ferry that never left. '.repeat(20),
        gate: (index) => (index > 2 ? new Promise(() => {}) : undefined), // its end never comes
      };
    return { text: `You have asked me ${texts.length} times.` };
  });
  return offline;
}
