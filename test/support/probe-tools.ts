import { z } from 'zod';
import { buildTool } from '../../src/tools/build-tool.js';
import type { Tool } from '../../src/tools/tool.js';

/** Changes something, so it is asked for; may run beside others. Remembers the inputs it ran with. */
export function createChangeTool(name = 'Change') {
  const ran: string[] = [];
  const tool = buildTool({
    name,
    inputSchema: z.object({ what: z.string() }),
    isConcurrencySafe: () => true,
    permissionTarget: ({ what }) => ({ kind: 'name', name: what }),
    call: ({ what }) => {
      ran.push(what);
      return Promise.resolve({ data: `changed ${what}` });
    },
  });
  return { tool, ran };
}

/** Only reads and may run beside others; ends when the test says so, or when it is aborted. */
export function createWaitTool(
  until: (input: { readonly what: string }, signal: AbortSignal) => Promise<unknown>,
  { name = 'Wait', isSafe = true }: { readonly name?: string; readonly isSafe?: boolean } = {},
): Tool {
  return buildTool({
    name,
    inputSchema: z.object({ what: z.string().default('') }),
    isConcurrencySafe: () => isSafe,
    isReadOnly: () => true,
    async call(
      input,
      {
        call: {
          abortController: { signal },
        },
      },
    ) {
      signal.throwIfAborted();
      const aborted = new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      });
      const data = await Promise.race([until(input, signal), aborted]);
      return { data: data === undefined ? `waited ${input.what}` : data };
    },
  });
}
