import type { PermissionRequests } from './permission-requests.js';
import { toAskHandler } from '../options/can-use-tool.js';
import { toElicitationHandler } from '../options/on-elicitation.js';
import { createPromptTool } from './prompt-tool.js';
import type { OrchestratorOptions } from '../options/orchestrator-options.js';

/** The requests for calls of tools. */
const OF_TOOLS = ['permission', 'question', 'plan'] as const;

/** Attach the approvers that a program names. @returns the prompt tool of a server, if the program names one */
export function attachApprovers(
  {
    canUseTool,
    onElicitation,
    permissionPromptTool,
  }: Pick<OrchestratorOptions, 'canUseTool' | 'onElicitation' | 'permissionPromptTool'>,
  requests: Pick<PermissionRequests, 'onRequest'>,
  servers: Parameters<typeof createPromptTool>[1],
): ReturnType<typeof createPromptTool> | undefined {
  const promptTool =
    permissionPromptTool === undefined
      ? undefined
      : createPromptTool(permissionPromptTool, servers);
  if (promptTool !== undefined)
    requests.onRequest(promptTool.handler, { by: permissionPromptTool ?? '', kinds: OF_TOOLS });
  if (canUseTool !== undefined)
    requests.onRequest(toAskHandler(canUseTool), { by: 'canUseTool', kinds: OF_TOOLS });
  if (onElicitation !== undefined)
    requests.onRequest(toElicitationHandler(onElicitation), {
      by: 'onElicitation',
      kinds: ['elicitation'],
    });
  return promptTool;
}
