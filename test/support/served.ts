import { createServedAgents } from '../../src/api/serve/served-agents.js';
import type { ServedAgents, ServedOptions } from '../../src/api/serve/serve-types.js';
import type { ScriptFunction } from '../../src/model/scripted/scripted-model.js';
import { ASK_FIRST, createTroupe } from './troupe.js';

/** Agents of one folder over a scripted model, ended when the test ends. */
export async function createServed(
  script: ScriptFunction,
  options: Partial<ServedOptions> = {},
): Promise<{ readonly agents: ServedAgents; readonly cwd: string }> {
  const { troupe, cwd } = await createTroupe(script, { permissions: ASK_FIRST });
  const agents = createServedAgents({
    cwd,
    folders: [cwd],
    open: () => Promise.resolve({ orchestrator: troupe, start: {}, mode: 'default' }),
    describe: () => () => [],
    ...options,
  });
  return { agents, cwd };
}

/** Says "Made." if it may make a file, and "Denied: …" with the reason if it may not. */
export const makesFile: ScriptFunction = ({ messages }) => {
  const newest = messages.at(-1)?.content ?? [];
  const blocks = typeof newest === 'string' ? [] : newest;
  const result = blocks.find((block) => block.type === 'tool_result');
  if (result === undefined) return { tools: [{ name: 'Bash', input: { command: 'touch made' } }] };
  const { is_error: isError, content } = result as { is_error?: boolean; content: unknown };
  return { text: isError === true ? `Denied: ${JSON.stringify(content)}` : 'Made.' };
};
