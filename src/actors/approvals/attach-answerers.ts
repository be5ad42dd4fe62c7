import type { Asks } from './asks.js';
import { toAskHandler } from '../options/can-use-tool.js';
import { createPromptTool } from './prompt-tool.js';
import type { Settings } from '../options/settings.js';

/** Attach the approvers that a program names. @returns the prompt tool of a server, if the program names one */
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
