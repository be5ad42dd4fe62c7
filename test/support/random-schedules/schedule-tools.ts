import { z } from 'zod';
import { buildTool } from '../../../src/tools/build-tool.js';
import type { Tool } from '../../../src/tools/tool.js';

/** How a tool that runs ends, as the test decides. */
export type ToolEnd = 'ok' | 'error';

/** A tool that runs now. */
export type RunningTool = { readonly id: string; readonly end: (how: ToolEnd) => void };

export type ToolWatch = {
  readonly onStart: (tool: RunningTool) => void;
  readonly onEnd: (id: string, how: ToolEnd | 'aborted') => void;
};

/** Tools with the names `Cancel`, `Block` and `Bash`, which end when the test says so, or when they are aborted. */
export function createScheduleTools({ onStart, onEnd }: ToolWatch): readonly Tool[] {
  return (['Cancel', 'Block', 'Bash'] as const).map((name) =>
    buildTool({
      name,
      inputSchema: z.object({ isSafe: z.boolean() }),
      isConcurrencySafe: ({ isSafe }) => isSafe,
      isReadOnly: ({ isSafe }) => isSafe,
      interruptBehavior: () => (name === 'Cancel' ? 'cancel' : 'block'),
      async call(_input, { call: { toolUseId: id, abortController } }) {
        const { signal } = abortController;
        const how = await new Promise<ToolEnd | 'aborted'>((resolve) => {
          signal.addEventListener('abort', () => resolve('aborted'), { once: true });
          onStart({ id, end: resolve });
        });
        onEnd(id, how);
        if (how === 'aborted') throw signal.reason;
        if (how === 'error') throw new Error(`failed ${id}`);
        return { data: `did ${id}` };
      },
    }),
  );
}
