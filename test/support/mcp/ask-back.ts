import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { SessionHandle } from '../../../src/actors/contract/handles.js';
import type { SessionStart } from '../../../src/actors/contract/session-start.js';
import type { ModelRequest } from '../../../src/model/model.js';
import type { ScriptedReply } from '../../../src/model/scripted/script.js';
import { newestResults } from '../scripts.js';
import { ALLOW_ALL, createTroupe, type TroupeOptions } from '../troupe.js';
import { createTestServer } from './sdk-server.mjs';

/** The same server as a program. */
export const ASKING = {
  command: process.execPath,
  args: [fileURLToPath(new URL('sdk-server.mjs', import.meta.url))],
};

/** A form as a request of a server. */
export const form = (message: string, properties: object, required: readonly string[] = []) => ({
  method: 'elicitation/create',
  params: { message, requestedSchema: { type: 'object', properties, required } },
});

/** A session whose agent calls the tool `ask` of a server once, and the answers that the server gets. */
export async function askBack(
  requests: readonly object[],
  options: TroupeOptions = {},
  {
    asked = {} as ScriptedReply,
    onReady = (
      _world: Awaited<ReturnType<typeof createTroupe>>,
      _session: SessionHandle,
      _cancel: () => void,
    ) => {},
    start = {} as Partial<SessionStart>,
  } = {},
) {
  const { server, cancel } = createTestServer();
  const modelRequests: ModelRequest[] = [];
  let content: string | readonly object[] = '';
  const world = await createTroupe(
    (request) => {
      if (!request.tools.some(({ name }) => name === 'mcp__asking__ask')) {
        modelRequests.push(request);
        return asked;
      }
      const [result] = newestResults(request.messages);
      if (result !== undefined) {
        content = result.content;
        return { text: 'Done.' };
      }
      return { tools: [{ name: 'mcp__asking__ask', input: { requests } }] };
    },
    {
      permissions: ALLOW_ALL,
      mcpServers: { asking: { type: 'sdk', name: 'asking', instance: server } },
      ...options,
    },
  );
  const session = world.troupe.session({ prompt: 'Go.', ...start });
  onReady(world, session, cancel);
  const outcome = await session.outcome;
  const [said = '', ...notes] =
    typeof content === 'string' ? [content] : (content as readonly object[]).map(textOf);
  const audit = readFileSync(`${session.directory}/audit.jsonl`, 'utf8');
  return {
    outcome,
    answers: said.startsWith('[') ? (JSON.parse(said) as readonly unknown[]) : [said],
    notes,
    modelRequests,
    audit: audit
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>),
  };
}

function textOf(block: object): string {
  return 'text' in block ? String(block.text) : '';
}
