import { viewSession, type AgentView } from '../../../api/sessions/session-view.js';

/** The last prompt of a session, and the text that answered it. */
export type LastExchange = { readonly prompt: string; readonly answer: string };

/** @param directory of the journal; undefined if there was no prompt */
export async function readLastExchange(directory: string): Promise<LastExchange | undefined> {
  const { tasks, agents } = await viewSession(directory).next();
  const root = [...tasks.values()].find(({ state }) => state.parentId === undefined);
  const main = root?.agentId === undefined ? undefined : agents.get(root.agentId);
  return main === undefined ? undefined : lastExchangeOf(main);
}

function lastExchangeOf({ items }: AgentView): LastExchange | undefined {
  const at = items.findLastIndex((item) => item.type === 'message' && item.kind === 'prompt');
  const prompt = items[at];
  if (prompt?.type !== 'message') return undefined;
  const texts = items.slice(at + 1).flatMap((item) => (item.type === 'text' ? [item.text] : []));
  return { prompt: prompt.text, answer: texts.at(-1) ?? '' };
}
