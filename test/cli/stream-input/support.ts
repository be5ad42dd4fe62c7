import { PassThrough } from 'node:stream';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import { createSdkMcpServer, tool } from '../../../src/extensions/mcp/servers/sdk-server.js';
import { createOrchestrator } from '../../../src/api/orchestrator/orchestrator.js';
import type { PreparedRun } from '../../../src/cli/run/prepare-run.js';
import { serveStreamInput } from '../../../src/cli/stream-input/serve-stream-input.js';
import { withBuiltInAgents } from '../../../src/context/built-in-agents.js';
import type { ModelRequest } from '../../../src/model/model.js';
import {
  createScriptedModel,
  type ScriptFunction,
} from '../../../src/model/scripted/scripted-model.js';
import { ALLOW_ALL, createFolder } from '../../support/troupe.js';

export type Line = Readonly<Record<string, unknown>>;

/** A client of a session over a scripted model, in one process: lines go in and come out. */
export async function createClient(
  script: ScriptFunction,
  {
    options = {},
    start = {},
    asksOnStdio = false,
  }: {
    readonly options?: Partial<PreparedRun['options']>;
    readonly start?: PreparedRun['start'];
    readonly asksOnStdio?: boolean;
  } = {},
) {
  const cwd = await createFolder();
  const home = await createFolder();
  const requests: ModelRequest[] = [];
  const model = createScriptedModel((request, ...rest) => {
    requests.push(request);
    return script(request, ...rest);
  });
  const lines: Line[] = [];
  const warnings: string[] = [];
  const looks = new Set<() => void>();
  const put = (line: object): void => {
    lines.push(line as Line); // whatever goes out
    for (const look of looks) look();
  };
  const stdin = new PassThrough();
  const input = serveStreamInput({
    stdin,
    prepared: {
      options: { cwd, home, model, env: process.env, permissions: ALLOW_ALL, ...options },
      start,
      definitions: withBuiltInAgents([]),
      missingTools: new Map(),
      warnings: [],
      notes: [],
      waiting: [],
      drawn: [],
      followed: {
        keyHelper: {},
        editorMode: undefined,
        statusLine: undefined,
        fileCheckpointingEnabled: undefined,
      },
      folderFile: () => Promise.resolve(undefined),
    },
    async open(run) {
      const troupe = createOrchestrator(run.options);
      onTestFinished(() => troupe.close());
      const session = troupe.session({ ...run.start, staysOpen: true });
      void (async () => {
        for await (const message of session) put(message);
      })();
      return { session, approvals: troupe.approvals, mcp: troupe.mcp };
    },
    asksOnStdio,
    write: put,
    warn: (line) => void warnings.push(line),
  });
  onTestFinished(() => input.stop());

  const line = (fits: (line: Line) => boolean): Promise<Line> =>
    new Promise((resolve) => {
      const look = (): void => {
        const found = lines.find(fits);
        if (found === undefined) return;
        looks.delete(look);
        resolve(found);
      };
      looks.add(look);
      look();
    });
  const send = (message: object): void => void stdin.write(`${JSON.stringify(message)}\n`);
  let count = 0;
  return {
    input,
    lines,
    warnings,
    requests,
    line,
    send,
    end: () => stdin.end(),
    say: (text: string) => send({ type: 'user', message: { role: 'user', content: text } }),
    /** Resolves with the response of a control request. */
    async ask(request: Line): Promise<Line> {
      count += 1;
      const id = `r${count}`;
      send({ type: 'control_request', request_id: id, request });
      const answer = await line(
        (one) => one['type'] === 'control_response' && responseOf(one)['request_id'] === id,
      );
      return responseOf(answer);
    },
    /** Answers every request of this kind that comes. */
    onRequest(subtype: string, answer: (request: Line) => unknown): void {
      let seen = 0;
      const respond = async ({ request_id, request }: Line): Promise<void> => {
        const response = await answer(request as Line);
        if (response === undefined) return; // never answered
        const body =
          response instanceof Error
            ? { subtype: 'error', request_id, error: response.message }
            : { subtype: 'success', request_id, response };
        send({ type: 'control_response', response: body });
      };
      looks.add(() => {
        for (; seen < lines.length; seen += 1) {
          const one = lines[seen] as Line;
          if (one['type'] === 'control_request' && (one['request'] as Line)['subtype'] === subtype)
            void respond(one);
        }
      });
    },
    result: () => line(({ type }) => type === 'result'),
  };
}

/** The client's side of a server with the tool `say`, as the Agent SDK answers `mcp_message`. */
export async function serveTools(client: Awaited<ReturnType<typeof createClient>>) {
  const said: string[] = [];
  const { instance } = createSdkMcpServer({
    name: 'echo',
    tools: [
      tool('say', 'Says it.', { text: z.string() }, ({ text }) => {
        said.push(text);
        return Promise.resolve({ content: [{ type: 'text', text: text.toUpperCase() }] });
      }),
    ],
  });
  const { InMemoryTransport } = await import('@modelcontextprotocol/sdk/inMemory.js');
  const [near, far] = InMemoryTransport.createLinkedPair();
  await instance.connect(far);
  const waiting = new Map<unknown, (message: unknown) => void>();
  // eslint-disable-next-line unicorn/prefer-add-event-listener -- a transport has nothing else
  near.onmessage = (message) => waiting.get((message as { id?: unknown }).id)?.(message);
  await near.start();
  const respond = async ({ message }: Line): Promise<unknown> => {
    const { id } = message as { id?: unknown };
    const response = new Promise((resolve) => waiting.set(id, resolve));
    await near.send(message as never);
    return id === undefined ? { jsonrpc: '2.0', result: {}, id: 0 } : response;
  };
  client.onRequest('mcp_message', async (request) => ({ mcp_response: await respond(request) }));
  return said;
}

function responseOf(line: Line): Line {
  return line['response'] as Line; // a control_response has one
}
