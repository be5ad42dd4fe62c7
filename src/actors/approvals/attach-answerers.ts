import type { Asks } from './asks.js';
import { toAskHandler } from '../options/can-use-tool.js';
import { createPromptTool } from './prompt-tool.js';
import type { Settings } from '../options/settings.js';

/** Attaches whoever a program names to answer asks. @returns the tool of a server that does, where it names one */
export function attachAnswerers(
  { canUseTool, permissionPromptTool }: Settings,
  asks: Pick<Asks, 'onRequest'>,
  servers: Parameters<typeof createPromptTool>[1],
): ReturnType<typeof createPromptTool> | undefined {
  const promptTool =
    permissionPromptTool === undefined
      ? undefined
      : createPromptTool(permissionPromptTool, servers);
  if (promptTool !== undefined)
    asks.onRequest(promptTool.handler, { by: permissionPromptTool ?? '' });
  if (canUseTool !== undefined) asks.onRequest(toAskHandler(canUseTool), { by: 'canUseTool' });
  return promptTool;
}
